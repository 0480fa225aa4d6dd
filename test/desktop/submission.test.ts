import { existsSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { sendingSettings, startTestEmulator, textFile } from '../setup/gateway.ts';
import { sharedByTests } from '../setup/shared-by-tests.ts';
import { type DesktopApp, type Kind, launch, missing } from './desktop-app.ts';
import { onEachKind } from './each-kind.ts';

/** With a provider that takes its time. */
async function openSlowApp(kind: Kind) {
  const emulator = await startTestEmulator();
  const app = await launch(kind, { env: sendingSettings(emulator) });
  await app.console();
  const close = async () => {
    await app.close();
    await emulator.close();
  };
  return { app, emulator, close };
}

onEachKind('a fax that is being handed over', (kind) => {
  const shared = sharedByTests(async () => (missing(kind) === null ? await openSlowApp(kind) : null));
  let app: DesktopApp;
  let emulator: CloudoneEmulator;
  beforeEach(() => {
    ({ app, emulator } = shared.current);
    emulator.setFault({ kind: 'slow', method: 'POST' });
  });

  function request(method: string, path: string, body?: FormData): Promise<Response> {
    const headers = { 'X-API-Key': app.installationKey() };
    return fetch(`${app.gatewayUrl()}${path}`, { method, headers, body });
  }

  /** Sends a fax whose provider does not answer yet. */
  async function begin(): Promise<string> {
    const form = new FormData();
    form.append('to', '+12025550123');
    form.append('file', textFile());
    const { id } = (await (await request('POST', '/fax', form)).json()) as { id: string };
    await emulator.waitUntilHeld();
    return id;
  }

  async function stateOf(id: string): Promise<string> {
    return ((await (await request('GET', `/fax/${id}`)).json()) as { delivery_state: string }).delivery_state;
  }

  function blockers(): Promise<string[]> {
    return app.evaluate(({ recorder }) =>
      recorder.calls.map(([name]) => String(name)).filter((name) => name.startsWith('powerSaveBlocker')),
    );
  }

  it('keeps the computer awake for as long as that takes', async (context) => {
    if (kind === 'Electron') context.skip('Electron does not tell whether the system may sleep');
    const id = await begin();
    await expect.poll(blockers).toEqual(['powerSaveBlocker.start']);
    emulator.release();
    await expect.poll(blockers).toEqual(['powerSaveBlocker.start', 'powerSaveBlocker.stop']);
    await expect.poll(() => stateOf(id)).toBe('in_progress');
  });

  it('is finished when the computer is put to sleep, and none is begun until it wakes', async () => {
    const id = await begin();
    await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('suspend'));
    emulator.release();
    await expect.poll(() => stateOf(id)).toBe('in_progress');
    const form = new FormData();
    form.append('to', '+12025550124');
    form.append('file', textFile('Another one.\n'));
    const next = ((await (await request('POST', '/fax', form)).json()) as { id: string }).id;
    expect(await stateOf(next)).toBe('ready');
    await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
    // Handed over whole, so that it is not held in the place of the next one.
    await expect.poll(() => stateOf(next)).toBe('in_progress');
  });

  it('is finished before the application ends', async () => {
    await begin();
    const before = emulator.counts.accepted;
    let hasEnded = false;
    void app.ended.then(() => {
      hasEnded = true;
    });
    await app.quit();
    await expect.poll(() => existsSync(`${app.dataFolder}/gateway.json`)).toBe(false);
    expect(hasEnded).toBe(false);
    emulator.release();
    expect(await app.ended).toBe(0);
    expect(emulator.counts.accepted).toBe(before);
    expect(app.output()).not.toContain('could not be recorded');
  });
});
