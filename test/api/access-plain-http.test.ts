import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpsSettings } from '../../server/features/settings/definitions/https.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { RawConnection } from '../setup/raw-connection.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { allowInsecureHttpSessions: true } });
  await addPerson(gateway, { login: 'ann' });
});
afterAll(() => gateway.stop());

const PASSWORD = { path: '/auth/login', body: { login: 'ann', password: GOOD_PASSWORD } };
const KEY = { path: '/auth/key-login', body: { api_key: 'none' } };

/** The answer to a sign-in from a page at `origin`, which a browser opened by the name `host`. */
async function answerTo(
  host: string,
  origin = `http://${host}`,
  way: typeof PASSWORD | typeof KEY = PASSWORD,
) {
  const body = JSON.stringify(way.body);
  const connection = await RawConnection.open(gateway.url);
  try {
    const lines = [
      `POST ${way.path} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${origin}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    await connection.send([...lines, '', body].join('\r\n'));
    return await connection.answer();
  } finally {
    connection.close();
  }
}

const statusOf = async (host: string, origin?: string) => (await answerTo(host, origin)).status;

test.each(['192.168.1.20:8080', '[fd00::20]:8080', 'frontdesk:8080', 'frontdesk.local', 'fax.lan:9000'])(
  'people sign in over plain HTTP at %s, without another setting',
  async (host) => {
    expect(await statusOf(host)).toBe(200);
    gateway.settings['allowInsecureHttpSessions'] = false;
    expect(await statusOf(host)).toBe(403);
    gateway.settings['allowInsecureHttpSessions'] = true;
  },
);

test('nobody signs in from a page at another address, nor at a name that others can own', async () => {
  expect(await statusOf('192.168.1.20:8080', 'http://192.168.1.21:8080')).toBe(403);
  expect(await statusOf('192.168.1.20:8080', 'http://192.168.1.20:9090')).toBe(403);
  expect(await statusOf('rebound.example:8080')).toBe(403);
});

test.each([PASSWORD, KEY])(
  'a sign-in at $path over plain HTTP from another computer says that HTTPS is needed and where to turn it on',
  async (way) => {
    gateway.settings['allowInsecureHttpSessions'] = false;
    const said = async (host: string, origin = `http://${host}`) =>
      JSON.parse((await answerTo(host, origin, way)).body) as unknown;
    const { sentence: detail } = ERRORS.insecure_sign_in;
    expect(detail).toContain('HTTPS');
    expect(detail).toContain(`Settings > ${httpsSettings.HTTPS_ENABLED.group}`);
    for (const host of ['192.168.1.20:8080', 'frontdesk.local']) expect(await said(host)).toEqual({ detail });
    const strange = { detail: ERRORS.origin_refused.sentence };
    expect(await said('192.168.1.20:8080', 'http://192.168.1.21:8080')).toEqual(strange);
    expect(await said('rebound.example:8080')).toEqual(strange);
    gateway.settings['allowInsecureHttpSessions'] = true;
  },
);
