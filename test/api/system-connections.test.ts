import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { FORM, headOf, LARGE_FILE, RawCaller, TO } from '../setup/raw-form.ts';

let gateway: TestGateway;
let raw: RawCaller;
beforeAll(async () => {
  gateway = await startTestGateway();
  raw = new RawCaller(gateway);
});
afterAll(() => gateway.close());
afterEach(() => raw.close());

async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i += 1) {
    gateway.clock.advance(SECOND);
    await gateway.processAll();
  }
}

test('an upload that goes on too slowly is refused, and nothing of it is left', async () => {
  const connection = await raw.open();
  await connection.send(headOf({ 'Content-Length': '10000000', ...FORM }));
  await connection.send(TO + LARGE_FILE);
  await raw.expectWorkFiles(1);
  // The first window holds what came already.
  await pass(15);
  expect(connection.isAnswered).toBe(false);
  await pass(15);
  const refused = await connection.answer();
  expect([refused.status, refused.headers['x-error-code']]).toEqual([408, 'request_timeout']);
  await connection.closed();
  await raw.expectWorkFiles(0);
});

test('a stream of changes stays open, however little happens', async () => {
  const connection = await raw.open();
  const head = ['GET /console/events HTTP/1.1', 'Host: 127.0.0.1', `X-API-Key: ${INSTALLATION_KEY}`, '', ''];
  await connection.send(head.join('\r\n'));
  await expect.poll(() => connection.isAnswered).toBe(true);
  await pass(120);
  expect(connection.isClosed).toBe(false);
});

describe('a sign-in', () => {
  const login = (body: string, headers: Record<string, string> = {}, path = '/auth/login') =>
    raw.post(body, { 'Content-Type': 'application/json', ...headers }, path);
  const long = JSON.stringify({ login: 'ann', password: 'x'.repeat(9000), api_key: 'x', code: 'y' });

  test.each(['/auth/login', '/auth/key-login'])('at %s takes 8 KB and no more', async (path) => {
    expect((await login(long, {}, path)).status).toBe(413);
    const chunked = `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`;
    const connection = await raw.open();
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    await connection.send(headOf(headers, path));
    await connection.send(chunked);
    expect((await connection.answer()).status).toBe(413);
  });

  test.each([
    ['/auth/login', 413],
    ['/auth/key-login', 413],
    ['/mobile/pair', 403],
  ])('at %s whose length says more is refused before it is read', async (path, status) => {
    const connection = await raw.open();
    await connection.send(headOf({ 'Content-Type': 'application/json', 'Content-Length': '8193' }, path));
    expect((await connection.answer()).status).toBe(status);
    await connection.closed();
  });
});
