import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Browser } from '../api/terminal-setup.ts';
import { eventually } from '../setup/eventually.ts';
import type { DesktopApp } from './desktop-app.ts';
import { onEachKind, onlyStandin, sharedApp } from './each-kind.ts';

const PASSWORD = 'a long passphrase of the office';

onEachKind('the console terminal', (kind) => {
  const shared = sharedApp(kind);

  it('rule (desktop): a terminal runs commands in a process that has nothing of the computer', async (context) => {
    onlyStandin(kind, context);
    await shared.page();
    const owner = await signInAsOwner(shared.app);
    const terminal = await owner.open();
    expect(await terminal.run('health')).toContain('Faxdesk');
    expect(await terminal.run('users list')).toContain('The Owner');
    const pid = await processOf(shared.app);
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    expect(names.filter((name) => name !== '' && !name?.startsWith('NODE_CHANNEL_'))).toEqual([]);
    await terminal.close();
    await expect.poll(() => findProcess(shared.app)).toBe(undefined);
  });
});

/** Creates the first owner, and signs in with a password of their own. */
async function signInAsOwner(app: DesktopApp): Promise<Browser> {
  const gateway = {
    url: app.gatewayUrl(),
    request: (
      method: string,
      path: string,
      options: { headers?: Record<string, string>; json?: unknown; key?: string | null } = {},
    ) =>
      fetch(`${app.gatewayUrl()}${path}`, {
        method,
        headers: {
          ...options.headers,
          ...(options.key === null ? {} : { 'X-API-Key': app.installationKey() }),
          ...(options.json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
      }),
  };
  const me = await gateway.request('GET', '/auth/me', {});
  const { policy_version } = (await me.json()) as { policy_version: number };
  const made = await gateway.request('POST', '/auth/owner/enroll', {
    json: { login: 'owner', display_name: 'The Owner', expected_policy_version: policy_version },
  });
  const { temporary_password } = (await made.json()) as { temporary_password: string };
  const first = await Browser.signIn(gateway, 'owner', temporary_password);
  const json = { current_password: temporary_password, password: PASSWORD };
  expect((await first.request('POST', '/auth/password', json)).status).toBe(200);
  return await Browser.signIn(gateway, 'owner', PASSWORD);
}

const findProcess = (app: DesktopApp): Promise<number | undefined> =>
  app.evaluate(
    ({ app: electron }) =>
      electron.getAppMetrics().find(({ serviceName }) => serviceName === 'Faxdesk terminal')?.pid,
  );

async function processOf(app: DesktopApp): Promise<number> {
  return eventually(async () => (await findProcess(app)) ?? expect.unreachable('no process of a terminal'));
}
