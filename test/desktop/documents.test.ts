import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { eventually } from '../setup/eventually.ts';
import { sendingSettings, startTestEmulator, textFile } from '../setup/gateway.ts';
import type { DesktopApp } from './desktop-app.ts';
import { onEachKind, onlyStandin, sharedApp } from './each-kind.ts';

onEachKind('the process of documents', (kind) => {
  const env: Record<string, string> = {};
  let emulator: CloudoneEmulator;
  beforeAll(async () => {
    emulator = await startTestEmulator();
    Object.assign(env, sendingSettings(emulator));
  });
  afterAll(() => emulator.close());
  const shared = sharedApp(kind, { env });

  it('has nothing of the environment of the gateway', async (context) => {
    onlyStandin(kind, context);
    await shared.page();
    expect(await send(shared.app)).toBe(202);
    const names = readFileSync(`/proc/${await processOf(shared.app)}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    expect(names.filter((name) => name !== '' && !name?.startsWith('NODE_CHANNEL_'))).toEqual([]);
  });

  it('is started again when it dies, and the next fax is accepted', async () => {
    await shared.page();
    expect(await send(shared.app)).toBe(202);
    const before = await processOf(shared.app);
    process.kill(before, 'SIGKILL');
    expect(await send(shared.app)).toBe(202);
    expect(await processOf(shared.app)).not.toBe(before);
  });

  it('ends with the gateway, and the next gateway has one of its own', async () => {
    await shared.page();
    expect(await send(shared.app)).toBe(202);
    const before = await processOf(shared.app);
    process.kill((await shared.app.gatewayPid())!, 'SIGKILL');
    await expect.poll(() => isAlive(before)).toBe(false);
    await expect.poll(() => shared.app.gatewayPid()).not.toBeNull();
    await shared.page();
    const accepted = () => send(shared.app).catch(() => 'not there yet');
    await expect.poll(accepted).toBe(202);
    expect(await processOf(shared.app)).not.toBe(before);
  });
});

async function processOf(app: DesktopApp): Promise<number> {
  return eventually(async () => {
    const pid = await app.evaluate(
      ({ app: electron }) =>
        electron.getAppMetrics().find(({ serviceName }) => serviceName === 'Faxdesk documents')?.pid,
    );
    return pid ?? expect.unreachable('no process of documents');
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function send(app: DesktopApp): Promise<number> {
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('file', textFile());
  const headers = { 'X-API-Key': app.installationKey() };
  const response = await fetch(`${app.gatewayUrl()}/fax`, { method: 'POST', headers, body: form });
  await response.text();
  return response.status;
}
