import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawConnection } from '../setup/raw-connection.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { allowInsecureHttpSessions: true } });
  await addPerson(gateway, { login: 'ann' });
});
afterAll(() => gateway.stop());

/** The status of a sign-in from a page at `origin`, which a browser opened by the name `host`. */
async function statusOf(host: string, origin = `http://${host}`): Promise<number> {
  const body = JSON.stringify({ login: 'ann', password: GOOD_PASSWORD });
  const connection = await RawConnection.open(gateway.url);
  try {
    const lines = [
      'POST /auth/login HTTP/1.1',
      `Host: ${host}`,
      `Origin: ${origin}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    await connection.send([...lines, '', body].join('\r\n'));
    return (await connection.answer()).status;
  } finally {
    connection.close();
  }
}

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
