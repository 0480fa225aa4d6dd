import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { headOf, jsonOf, MEGABYTE, RawCaller } from '../setup/raw-form.ts';

let gateway: TestGateway;
let raw: RawCaller;
beforeAll(async () => {
  gateway = await startTestGateway();
  raw = new RawCaller(gateway);
});
afterAll(() => gateway.close());
afterEach(() => raw.close());

describe('a JSON body', () => {
  const KEYS = '/admin/api-keys';
  const ask = (body: string | Uint8Array, type = 'application/json') =>
    raw.post(body, { 'Content-Type': type }, KEYS);

  test.each([
    ['that is not JSON', '{"name":', 'application/json', 400],
    ['in another type', '{"name":"a"}', 'text/plain', 415],
    ['in a type that only begins like JSON', '{"name":"a"}', 'application/json-patch+json', 415],
    ['in another charset', '{"name":"a"}', 'application/json; charset=utf-16', 415],
    ['of 2 MB', JSON.stringify({ name: 'a'.repeat(2 * MEGABYTE) }), 'application/json', 413],
    ['of 300 KB', JSON.stringify({ name: 'a'.repeat(300 * 1024) }), 'application/json', 413],
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json', 400],
  ])('%s is refused with a sentence', async (_name, body, type, status) => {
    const answer = await ask(body, type);
    expect([answer.status, jsonOf(answer).detail]).toEqual([status, expect.stringMatching(/^[A-Z].*\.$/u)]);
  });

  test.each([
    ['with another shape', '[]'],
    ['that is null', 'null'],
    ['that is deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['that is deep in a field', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['with an unknown field', '{"nmae":"a"}'],
    ['with a number for a text', '{"name":1}'],
    ['with __proto__', '{"__proto__":{"name":"a"}}'],
  ])('%s is refused with a list of places', async (_name, body) => {
    const answer = await ask(body);
    expect(answer.status).toBe(422);
    const { detail } = JSON.parse(answer.body) as { detail: unknown };
    expect(detail).toEqual(
      expect.arrayContaining([
        { loc: expect.arrayContaining(['body']), type: expect.any(String), msg: expect.any(String) },
      ]),
    );
  });

  test('may begin with a byte order mark and name its charset', async () => {
    const answer = await ask('\uFEFF{"name":"a"}', 'application/json; charset="UTF-8"');
    expect(answer.status).toBe(200);
  });

  test('is refused early when it is too large, and the answer arrives', async () => {
    const connection = await raw.open();
    const head = headOf(
      { 'Content-Type': 'application/json', 'Content-Length': String(500 * MEGABYTE) },
      KEYS,
    );
    await connection.send(head);
    const chunk = ' '.repeat(64 * 1024);
    while (!connection.isAnswered && connection.sent < 200 * MEGABYTE) await connection.send(chunk);
    expect((await connection.answer()).status).toBe(413);
    expect(connection.sent).toBeLessThan(20 * MEGABYTE);
    expect((await gateway.sendForm({ to: '+12025550123' }, [textFile()])).status).toBe(202);
  });

  test('is refused without a reset while more of it comes, however long the computer was busy', async () => {
    const connection = await raw.open();
    const problems: unknown[] = [];
    connection.socket.on('error', (error) => problems.push(error));
    const third = ' '.repeat(16 * MEGABYTE);
    const length = String(3 * third.length);
    await connection.send(headOf({ 'Content-Type': 'application/json', 'Content-Length': length }, KEYS));
    await connection.send(third);
    expect((await connection.answer()).status).toBe(413);
    connection.socket.write(third);
    stallFor(1000);
    connection.socket.write(third);
    await connection.closed();
    expect(problems).toEqual([]);
  });
});

/** Nothing else happens in this process meanwhile. */
function stallFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
