import { request } from 'node:http';
import { getCiphers } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import {
  certificateAt,
  downloadRoot,
  parsePort,
  readHttpsStatus,
  requestOverHttps,
} from '../setup/https-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';

let gateway: TestGateway;
let port: number;
beforeAll(async () => {
  const settings = {
    HTTPS_ENABLED: 'true',
    HTTPS_HOST: '127.0.0.1',
    HTTPS_PORT: '0',
    HTTPS_NAMES: 'fax.office.example',
  };
  // Whoever connects looks at the computer's own clock.
  const clock = new ManualClock(new Date(systemClock.now()).toISOString());
  gateway = await startTestGateway({ clock, settings });
  port = parsePort((await readHttpsStatus(gateway)).addresses[0]);
});
afterAll(() => gateway.close());

const HEADER = 'strict-transport-security';
const YEAR = 'max-age=31536000';

describe('responses over HTTPS require browsers to stay there', () => {
  const secured = async (host: string) => {
    const root = await downloadRoot(gateway);
    const options = { root, host: 'fax.office.example', headers: { Host: host } };
    return (await requestOverHttps(`https://127.0.0.1:${port}/health`, options)).headers[HEADER];
  };

  test('by the names of the installation, and not by those of this computer alone', async () => {
    expect(await secured('fax.office.example:8443')).toBe(YEAR);
    expect(await secured('localhost:8443')).toBeUndefined();
    expect(await secured('127.0.0.1')).toBeUndefined();
  });

  test('also from a listed proxy, and from nobody else', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', Host: 'fax.example.com' };
    const asked = async () => {
      const url = new URL('/health', gateway.url).href;
      return new Promise((resolve, reject) => {
        const sent = request(url, { headers }, (response) => {
          response.resume();
          resolve(response.headers[HEADER]);
        });
        sent.once('error', reject).end();
      });
    };
    expect(await asked()).toBeUndefined();
    await gateway.set({ TRUSTED_PROXIES: ['127.0.0.1'] });
    expect(await asked()).toBe(YEAR);
  });
});

describe('HTTPS', () => {
  const open = (ciphers: string) => certificateAt(port, { maxVersion: 'TLSv1.2', ciphers });
  const weak = getCiphers()
    .map((name) => name.toUpperCase())
    .filter((name) => !name.startsWith('TLS_') && !/GCM|CHACHA20|CCM|PSK|SRP/u.test(name));

  async function expectStrict(): Promise<void> {
    const strong = await open('ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256');
    expect(strong.subject).toBeDefined();
    expect(weak.length).toBeGreaterThan(10);
    await expect(open(`${weak.join(':')}:@SECLEVEL=0`)).rejects.toThrow(/handshake failure/u);
  }

  test('takes no suite with CBC', async () => {
    await expectStrict();
  });

  test('takes none after the certificate was replaced either', async () => {
    const before = await certificateAt(port);
    await gateway.set({ HTTPS_NAMES: ['fax.office.example', 'new.office.example'] });
    await readHttpsStatus(gateway);
    expect((await certificateAt(port)).fingerprint256).not.toBe(before.fingerprint256);
    await expectStrict();
  });
});
