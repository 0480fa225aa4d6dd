import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { askSecurely } from '../setup/https-client.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' });
});
afterAll(() => cli.close());

test('faxdesk https tells how other computers come in, and saves the root they trust', async () => {
  const file = join(cli.folder, 'root.crt');
  expect((await cli.run(['https', 'status'])).out).toMatch(/^HTTPS: +off\nProblem: +none\n$/u);
  expect((await cli.run(['https', 'root', file])).code).toBe(5);
  expect((await cli.run(['settings', 'set', 'HTTPS_ENABLED=true'])).code).toBe(0);
  const { out } = await cli.run(['https', 'status']);
  const [, url = ''] = /^Open: +(https:\/\/127\.0\.0\.1:\d+)$/mu.exec(out) ?? [];
  const saved = await cli.run(['https', 'root', file]);
  expect([saved.code, saved.err]).toEqual([0, `Saved as ${file}.\n`]);
  const root = new X509Certificate(await readFile(file));
  expect(out).toContain(root.fingerprint256);
  expect((await askSecurely(`${url}/health`, { root: root.toString() })).body).toEqual({ status: 'ok' });
}, 120_000);
