import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { enrolMara, enrolOwner } from '../setup/owner.ts';
import { RawConnection } from '../setup/raw-connection.ts';

let gateway: TestGateway | null = null;
afterEach(() => gateway?.close());

async function startOpen(options: { host?: string; apiKey?: string } = {}): Promise<TestGateway> {
  gateway = await startTestGateway({ boot: { apiKey: null, requireApiKey: false, ...options } });
  return gateway;
}

/** The status of a request without a credential, with these header lines. */
async function statusOf(url: string, lines: string[] = [`Host: ${new URL(url).host}`]): Promise<number> {
  const connection = await RawConnection.open(url);
  try {
    await connection.send(['GET /admin/settings HTTP/1.1', ...lines, '', ''].join('\r\n'));
    return (await connection.answer()).status;
  } finally {
    connection.close();
  }
}

test('without a credential everything may be done, by programs of this computer that mean this gateway', async () => {
  const { url } = await startOpen();
  const { port } = new URL(url);
  expect(await statusOf(url)).toBe(200);
  expect(await statusOf(url, [`Host: localhost:${port}`])).toBe(200);
  for (const strange of [
    [`Host: rebound.example:${port}`],
    ['Host: localhost'],
    [`Host: localhost:${port}`, 'X-Forwarded-For: 192.0.2.7'],
    [`Host: localhost:${port}`, 'Forwarded: for=192.0.2.7'],
    [`Host: localhost:${port}`, 'Via: 1.1 proxy'],
  ])
    expect([strange, await statusOf(url, strange)]).toEqual([strange, 401]);
});

test('that is said wherever something needs attention, and cannot be saved', async () => {
  const { url } = await startOpen();
  const ready = (await (await fetch(`${url}/health/ready`)).json()) as { warnings: string[] };
  expect(ready.warnings).toEqual([expect.stringContaining('because REQUIRE_API_KEY is false')]);
  const status = (await (await fetch(`${url}/console/status`)).json()) as { warnings: string[] };
  expect(status.warnings).toEqual(ready.warnings);
  const saved = await fetch(`${url}/admin/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes: { REQUIRE_API_KEY: false } }),
  });
  expect(saved.status).toBe(422);
});

test('that ends when the first owner has chosen a password, at once and at every later start', async () => {
  const { url } = await startOpen();
  // One who was enrolled and has no password yet can be enrolled again.
  await enrolOwner(url);
  expect(await statusOf(url)).toBe(200);
  await enrolMara(url);
  expect(await statusOf(url)).toBe(401);
  const later = await (gateway as TestGateway).restart();
  gateway = later;
  expect(await statusOf(later.url)).toBe(401);
  expect(later.logLines.join('')).toContain('this installation has an owner.');
});

test.each([
  ['other computers can reach the gateway', { host: '0.0.0.0' }],
  ['there is an installation key', { apiKey: 'k'.repeat(40) }],
])('a credential is needed although the environment says not, where %s', async (_, options) => {
  const { url, logLines } = await startOpen(options);
  expect(await statusOf(url.replace('0.0.0.0', '127.0.0.1'))).toBe(401);
  expect(logLines.join('')).toContain('REQUIRE_API_KEY=false is not followed');
});

test('a credential is needed while the gateway serves HTTPS', async () => {
  const { url } = await startOpen();
  const changes = { HTTPS_HOST: '127.0.0.1', HTTPS_PORT: 0, HTTPS_ENABLED: true };
  const saved = await fetch(`${url}/admin/settings`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes }),
  });
  expect(saved.status).toBe(200);
  await expect.poll(() => statusOf(url)).toBe(401);
});

test.each([
  ['the environment', { apiKey: 'a-key-of-an-earlier-release' }],
  ['its file', { apiKey: null }],
])(
  'an installation key from %s that can be guessed starts, with a warning in System and the log',
  async (_where, boot) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-'));
    if (boot.apiKey === null)
      await writeFile(join(dataFolder, 'installation.key'), 'a-key-of-an-earlier-release\n', { mode: 0o600 });
    gateway = await startTestGateway({ dataFolder, boot, hasBackup: true });
    const key = 'a-key-of-an-earlier-release';
    const sentence = expect.stringContaining('The installation key (API_KEY) is shorter than 32 characters');
    expect(await (await gateway.request('GET', '/health/ready')).json()).toMatchObject({
      status: 'ok',
      warnings: [sentence],
    });
    expect(await (await gateway.request('GET', '/console/status', { key })).json()).toMatchObject({
      warnings: [sentence],
    });
    expect(gateway.logLines).toContainEqual(sentence);
    expect(gateway.logLines.join('')).not.toContain(key);
  },
);

test('an installation key of 32 characters is not warned of', async () => {
  gateway = await startTestGateway({ boot: { apiKey: 'k'.repeat(32) } });
  expect(await (await gateway.request('GET', '/health/ready')).json()).toMatchObject({ warnings: [] });
});
