import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { requestOverHttps } from '../setup/https-client.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' });
});
afterAll(() => cli.close());

const health = async () => {
  const { out } = await cli.run(['health', '--json']);
  return JSON.parse(out) as { status: string; warnings: string[] };
};

test('faxdesk https shows how other computers connect, and saves the root they trust', async () => {
  const file = join(cli.folder, 'root.crt');
  expect((await cli.run(['https', 'show'])).out).toBe(
    'HTTPS is set: off\nServed now:   no\nProblem:      none\n',
  );
  expect((await cli.run(['https', 'root', '--output', file])).code).toBe(5);
  expect((await cli.run(['settings', 'change', 'HTTPS_ENABLED=true'])).code).toBe(0);
  const { out } = await cli.run(['https', 'show']);
  const [, url = ''] = /^Open: +(https:\/\/127\.0\.0\.1:\d+)$/mu.exec(out) ?? [];
  expect(out).toMatch(new RegExp(`^Served now: +yes, on port ${new URL(url).port} of 127.0.0.1$`, 'mu'));
  const saved = await cli.run(['https', 'root', '--output', file]);
  const pem = await readFile(file, 'utf8');
  expect(pem).toMatch(/^-----BEGIN CERTIFICATE-----\n[\s\S]+\n-----END CERTIFICATE-----\n$/u);
  const root = new X509Certificate(pem);
  expect(out).toContain(root.fingerprint256);
  expect(out).toMatch(/^Six words: +[a-z]+(?: [a-z]+){5}$/mu);
  expect([saved.code, saved.err]).toEqual([
    0,
    `Saved as ${file}. Its SHA-256 fingerprint is ${root.fingerprint256}.\n`,
  ]);
  expect((await cli.run(['https', 'root', '--output', file, '--der'])).code).toBe(0);
  expect((await readFile(file)).equals(root.raw)).toBe(true);
  expect((await requestOverHttps(`${url}/health`, { root: root.toString() })).body).toEqual({ status: 'ok' });
}, 120_000);

test('rule (crossings): every warning reaches `/health/ready`, the System screen, `faxdesk health` and `faxdesk diagnose`', async () => {
  const { port } = new URL(cli.url);
  expect(
    (await cli.run(['settings', 'change', 'HTTPS_ENABLED=true', `HTTPS_PORT=${port}`, 'LOG_LEVEL=warn']))
      .code,
  ).toBe(0);
  const { out: status } = await cli.run(['https', 'show']);
  expect(status).toMatch(
    /^HTTPS is set: +on, .*\nServed now: +yes, on port \d+ of 127\.0\.0\.1\nProblem: +Other computers still/u,
  );
  const ready = await fetch(`${cli.url}/health/ready`);
  const { warnings } = (await ready.json()) as { warnings: string[] };
  expect(warnings).toEqual([
    'Changed settings take effect when Faxdesk is restarted: LOG_LEVEL.',
    expect.stringMatching(
      new RegExp(
        `^Other computers still reach Faxdesk over HTTPS at port \\d+, .* Another program uses port ${port}\\.`,
        'u',
      ),
    ),
    'There is no backup yet. Choose an hour for the daily backup in the settings.',
  ]);
  expect(await health()).toMatchObject({ status: 'ok', warnings });
  const listed = warnings.map((warning) => `  - ${warning}`).join('\n');
  const told = await cli.run(['health']);
  expect(told.code).toBe(0);
  expect(told.out).toMatch(/^The gateway is ready\.\nNeeds attention:\n/u);
  expect(told.out).toContain(`Needs attention:\n${listed}\nData folder: `);
  const report = await cli.run(['diagnose', '--json']);
  expect(JSON.parse(report.out)).toMatchObject({ gateway: { running: true, problems: [], warnings } });
  const words = (await cli.run(['diagnose'])).out;
  expect(words).toMatch(/^Needs attention: +3, listed below$/mu);
  expect(words).toContain(`Needs attention:\n${listed}\n`);
}, 120_000);

test('an untrusted certificate is said, and the roots of the system are trusted', async () => {
  await cli.run(['settings', 'change', 'HTTPS_PORT=0', 'HTTPS_ENABLED=true']);
  const { addresses } = await cli.json<{ addresses: string[] }>('https', 'show');
  const root = join(cli.folder, 'trusted.crt');
  const letter = join(cli.folder, 'letter.txt');
  await writeFile(letter, 'Dear colleague\n');
  await cli.run(['https', 'root', '--output', root]);
  const said = async (words: string[], environment: Record<string, string> = {}) => {
    const { code, err } = await cli.run([...words, '--url', String(addresses[0])], environment);
    return [code, err.trimEnd()];
  };
  const distrusted = [
    8,
    expect.stringMatching(
      /does not trust its certificate\..*"faxdesk https root --output <file>".*Nothing was sent\.$/u,
    ),
  ];
  expect(await said(['health'])).toEqual(distrusted);
  expect(await said(['send', '+12025550123', letter, '--key', 'x'])).toEqual(distrusted);
  // Variable with which OpenSSL finds the roots of the system.
  expect(await said(['health'], { SSL_CERT_FILE: root })).toEqual([0, '']);
}, 120_000);
