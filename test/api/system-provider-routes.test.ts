import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { type RawAnswer, RawConnection } from '../setup/raw-connection.ts';
import { FORM } from '../setup/raw-form.ts';

const JOB = 'job_id=0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f&attempt_id=0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e';
const PATHS = [
  `/cloudone-callback?${JOB}`,
  '/cloudone-inbound',
  `/cloudtwo-callback?${JOB}`,
  '/cloudtwo-inbound',
];
const SIGNATURE = { 'X-Phaxio-Signature': 'a'.repeat(40) };

let gateway: TestGateway;
beforeAll(async () => {
  const settings = {
    PUBLIC_API_URL: 'https://Fax.example.com:8444/desk',
    ALLOWED_ORIGINS: 'https://desk.example.com',
    HTTPS_NAMES: 'fax.office.example',
    INBOUND_ENABLED: 'true',
    CLOUDTWO_PROJECT_ID: 'project',
    CLOUDTWO_API_KEY: 'key',
    CLOUDTWO_API_SECRET: 'secret',
    CLOUDTWO_INBOUND_BASIC_USER: 'user',
    CLOUDTWO_INBOUND_BASIC_PASS: 'password',
  };
  gateway = await startTestGateway({ settings });
});
afterAll(() => gateway.close());
const lines: RawConnection[] = [];
afterEach(() => {
  for (const line of lines.splice(0)) line.close();
});

/** Announces a body of a megabyte and sends nothing of it: who waits for it never answers. */
async function announce(path: string, headers: Record<string, string>): Promise<RawAnswer> {
  const connection = await RawConnection.open(gateway.url);
  lines.push(connection);
  const all = { Host: '127.0.0.1', ...FORM, ...SIGNATURE, 'Content-Length': '1000000', ...headers };
  const named = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  await connection.send([`POST ${path} HTTP/1.1`, ...named, '', ''].join('\r\n'));
  return connection.answer();
}

const codeOf = ({ status, headers }: RawAnswer) => [status, headers['x-error-code']];

describe.each(PATHS)('%s', (path) => {
  test.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ Origin: 'https://evil.example' }],
    [{ Origin: 'null' }],
    [{ Origin: 'http://127.0.0.1:9' }],
  ])('refuses a web page of another site, by %j, before its body is read', async (headers) => {
    expect(codeOf(await announce(path, headers))).toEqual([403, 'origin_refused']);
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '203.0.113.7:8080',
    '',
    'a b',
  ])('refuses the strange host name "%s" before the body is read', async (host) => {
    const answer = await announce(path, { Host: host });
    expect(codeOf(answer)).toEqual([421, 'unknown_host']);
  });
});

describe('a provider reaches its routes', () => {
  const statusAt = async (host: string, headers: Record<string, string> = {}) =>
    (await announce('/cloudone-inbound', { Host: host, 'Content-Length': '0', ...headers })).headers[
      'x-error-code'
    ];

  test.each([
    '127.0.0.1:8080',
    'localhost',
    '[::1]:8080',
    'fax.example.com',
    'FAX.example.com:443',
    'fax.example.com.',
    'desk.example.com',
    'fax.office.example:8443',
  ])('at the own name %s', async (host) => {
    expect(await statusAt(host)).not.toBe('unknown_host');
  });

  test('by the name that the settings say now, and behind a listed proxy by any', async () => {
    expect(await statusAt('new.example.com')).toBe('unknown_host');
    await gateway.set({ PUBLIC_API_URL: 'https://new.example.com' });
    expect(await statusAt('new.example.com')).not.toBe('unknown_host');
    expect(await statusAt('fax.example.com')).toBe('unknown_host');
    await gateway.set({ TRUSTED_PROXIES: ['127.0.0.1'] });
    expect(await statusAt('upstream')).not.toBe('unknown_host');
    expect(await statusAt('upstream', { Origin: 'https://evil.example' })).toBe('origin_refused');
  });
});
