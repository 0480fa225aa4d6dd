import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { askSecurely } from '../setup/https-client.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let desk: CommandLine;
beforeAll(async () => {
  desk = await openCommandLine();
  await desk.serve({ ...sendingSettings(desk.emulator), HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' });
});
afterAll(() => desk.close());

test('faxdesk https tells how other computers come in, and saves the root they trust', async () => {
  const file = join(desk.folder, 'root.crt');
  expect((await desk.run(['https', 'status'])).out).toMatch(/^HTTPS: +off\nProblem: +none\n$/u);
  expect((await desk.run(['https', 'root', file])).code).toBe(5);
  expect((await desk.run(['settings', 'set', 'HTTPS_ENABLED=true'])).code).toBe(0);
  const { out } = await desk.run(['https', 'status']);
  const [, url = ''] = /^Open: +(https:\/\/127\.0\.0\.1:\d+)$/mu.exec(out) ?? [];
  const saved = await desk.run(['https', 'root', file]);
  expect([saved.code, saved.err]).toEqual([0, `Saved as ${file}.\n`]);
  const root = new X509Certificate(await readFile(file));
  expect(out).toContain(root.fingerprint256);
  expect((await askSecurely(`${url}/health`, { root: root.toString() })).body).toEqual({ status: 'ok' });
}, 120_000);
