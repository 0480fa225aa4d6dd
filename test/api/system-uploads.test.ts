import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import {
  BOUNDARY,
  COMPLETE_FORM,
  END,
  FILE,
  FORM,
  headOf,
  jsonOf,
  LARGE_FILE,
  MEGABYTE,
  RawCaller,
  TO,
} from '../setup/raw-form.ts';

let gateway: TestGateway;
let raw: RawCaller;
beforeAll(async () => {
  gateway = await startTestGateway();
  raw = new RawCaller(gateway);
});
afterAll(() => gateway.close());
afterEach(() => raw.close());

describe('a large upload', () => {
  test('is streamed to disk and never whole in memory', async () => {
    await gateway.set({ MAX_FILE_SIZE_MB: 1000 });
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Transfer-Encoding': 'chunked' }));
    const chunk = Buffer.alloc(64 * 1024, 'a\0b');
    const send = async (data: Uint8Array) => {
      await connection.send(`${data.length.toString(16)}\r\n`);
      await connection.send(data);
      await connection.send('\r\n');
    };
    await send(
      Buffer.from(
        `${TO}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`,
      ),
    );
    // The threads for documents start with the first fax.
    await gateway.send();
    const before = process.memoryUsage().rss;
    let most = before;
    for (let sent = 0; sent < 200 * MEGABYTE; sent += chunk.length) {
      await send(chunk);
      most = Math.max(most, process.memoryUsage().rss);
    }
    await send(Buffer.from(`\r\n${END}`));
    await connection.send('0\r\n\r\n');
    const answer = await connection.answer();
    most = Math.max(most, process.memoryUsage().rss);
    expect(answer.status).toBe(415);
    expect(Math.round((most - before) / MEGABYTE)).toBeLessThan(120);
    await raw.expectWorkFiles(0);
    await gateway.set({ MAX_FILE_SIZE_MB: null });
  }, 120_000);

  test('is refused the moment it passes the limit, before the rest has come', async () => {
    await gateway.set({ MAX_FILE_SIZE_MB: 1 });
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Transfer-Encoding': 'chunked' }));
    const heading = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
    await connection.send(`${heading.length.toString(16)}\r\n${heading}\r\n`);
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    while (!connection.isAnswered && connection.sent < 200 * MEGABYTE) await connection.send(chunk);
    const answer = await connection.answer();
    expect([answer.status, jsonOf(answer).detail]).toEqual([413, ERRORS.too_large.sentence]);
    // The operating system buffers a few megabytes between the two sides.
    expect(connection.sent).toBeLessThan(20 * MEGABYTE);
    expect(answer.headers['connection']).toBe('close');
    await connection.closed();
    await raw.expectWorkFiles(0);
    await gateway.set({ MAX_FILE_SIZE_MB: null });
  });

  test('that says it is too large is refused before a byte of it is read', async () => {
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Content-Length': String(100 * MEGABYTE) }));
    const answer = await connection.answer();
    expect([answer.status, jsonOf(answer).detail]).toEqual([413, ERRORS.too_large.sentence]);
  });

  test('counts also in parts with unexpected names', async () => {
    await gateway.set({ MAX_FILE_SIZE_MB: 1 });
    const body = `--${BOUNDARY}\r\nContent-Disposition: attachment\r\n\r\n${'x'.repeat(3 * MEGABYTE)}\r\n${END}`;
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Transfer-Encoding': 'chunked' }));
    await connection.send(`${body.length.toString(16)}\r\n${body}\r\n`);
    expect((await connection.answer()).status).toBe(413);
    await gateway.set({ MAX_FILE_SIZE_MB: null });
  });

  test('needs a credential before anything is read', async () => {
    const connection = await raw.open();
    await connection.send(
      `POST /fax HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM['Content-Type']}\r\nContent-Length: 999999\r\n\r\n`,
    );
    expect((await connection.answer()).status).toBe(401);
    await raw.expectWorkFiles(0);
  });
});

describe('an upload that breaks off', () => {
  test.each([
    ['in a file', `${TO}${FILE.slice(0, -10)}`],
    ['in a large file', `${TO}${LARGE_FILE.slice(0, -10)}`],
    ['in a field', TO.slice(0, -10)],
    ['in a heading', `${TO}--${BOUNDARY}\r\nContent-Dispo`],
    ['before its first byte', ''],
  ])('%s leaves no file and no fax', async (_name, body) => {
    const before = await raw.faxCount();
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Content-Length': '5000000' }));
    await connection.send(body);
    if (body.includes('long.txt')) await raw.expectWorkFiles(1);
    connection.close();
    await raw.expectWorkFiles(0);
    expect(await raw.faxCount()).toBe(before);
  });

  test('does not stop the next fax, nor is it logged as an error', async () => {
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Content-Length': '5000000' }));
    await connection.send(`${TO}${LARGE_FILE}`);
    await raw.expectWorkFiles(1);
    connection.close();
    await raw.expectWorkFiles(0);
    expect((await gateway.send()).delivery_state).toBe('ready');
    expect(gateway.logLines.filter((text) => text.includes('"level":"error"'))).toEqual([]);
  });
});

describe('the length of a request', () => {
  test('that is said too short ends the form early, and the rest is no request', async () => {
    const before = await raw.faxCount();
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Content-Length': String(COMPLETE_FORM.length - 20) }));
    await connection.send(COMPLETE_FORM);
    expect((await connection.answer()).status).toBe(400);
    await connection.closed();
    await raw.expectWorkFiles(0);
    expect(await raw.faxCount()).toBe(before);
  });

  test('that is said too long keeps the form waiting until the caller gives up', async () => {
    const before = await raw.faxCount();
    const connection = await raw.open();
    const form = `${TO}${LARGE_FILE}${END}`;
    await connection.send(headOf({ ...FORM, 'Content-Length': String(form.length + 1000) }));
    await connection.send(form);
    await raw.expectWorkFiles(1);
    expect(connection.isAnswered).toBe(false);
    connection.close();
    await raw.expectWorkFiles(0);
    expect(await raw.faxCount()).toBe(before);
  });

  test('may come in chunks', async () => {
    const connection = await raw.open();
    await connection.send(headOf({ ...FORM, 'Transfer-Encoding': 'chunked' }));
    for (const sign of COMPLETE_FORM) await connection.send(`1\r\n${sign}\r\n`);
    await connection.send('0\r\n\r\n');
    expect((await connection.answer()).status).toBe(202);
  });

  test('may not come both ways', async () => {
    const answer = await raw.post(COMPLETE_FORM, { ...FORM, 'Transfer-Encoding': 'chunked' });
    expect(answer.status).toBe(400);
  });

  test('may wait for a go-ahead', async () => {
    const connection = await raw.open();
    const length = String(COMPLETE_FORM.length);
    await connection.send(headOf({ ...FORM, 'Content-Length': length, Expect: '100-continue' }));
    expect((await connection.answer()).status).toBe(100);
    await connection.send(COMPLETE_FORM);
    expect((await connection.answer()).status).toBe(202);
  });
});
