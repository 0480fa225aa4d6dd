import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { BOUNDARY, COMPLETE_FORM, END, FORM, headOf, part, RawCaller, TO } from '../setup/raw-form.ts';

let gateway: TestGateway;
let raw: RawCaller;
beforeAll(async () => {
  gateway = await startTestGateway();
  raw = new RawCaller(gateway);
});
afterAll(() => gateway.close());
afterEach(() => raw.close());

/** Larger than a chunk of a stream, so that a stream opened for it must be read. */
const BIG_FILE = part('name="file"; filename="a"', 'x'.repeat(200_000));

/** Each makes the form unreadable before a file begins. */
const BROKEN: [string, string][] = [
  ['a field in an unknown charset', part('name="to"\r\nContent-Type: text/plain; charset=klingon', '1')],
  ['an empty part without a heading', `--${BOUNDARY}\r\n\r\n\r\n`],
  ['a file without a name', part('filename="a"', 'x')],
  ['a field without a name', part('x="y"', 'z')],
  ['a field with NUL', part('name="to"', '\0')],
  ['a field with NUL and more fields', part('name="to"', '\0') + TO + TO],
  ['a file without a name and another one', part('filename="a"', 'x') + BIG_FILE],
  ['a heading of 100 KB', part(`name="to"; x="${'y'.repeat(100_000)}"`, '1')],
  ['more fields than are taken', TO.repeat(300)],
  ['more files than are taken', part('name="file"; filename="a"', 'x').repeat(60)],
];

describe('a form that cannot be read and goes on with a large file', () => {
  test.each(BROKEN)('after %s is refused, and its connection is closed', async (_name, start) => {
    const body = start + BIG_FILE + END;
    const connection = await raw.open();
    await connection.send(headOf({ 'Content-Length': String(body.length), ...FORM }));
    await connection.send(body);
    expect((await connection.answer()).status).toBe(400);
    await raw.expectWorkFiles(0);
    expect((await raw.post(COMPLETE_FORM)).status).toBe(202);
  });

  test.each(BROKEN)('after %s and never ends is closed all the same', async (_name, start) => {
    const connection = await raw.open();
    await connection.send(headOf({ 'Content-Length': '10000000', ...FORM }));
    await connection.send(start + BIG_FILE);
    expect((await connection.answer()).status).toBe(400);
    await connection.closed();
    await raw.expectWorkFiles(0);
  });
});
