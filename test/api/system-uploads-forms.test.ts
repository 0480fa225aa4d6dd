import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import {
  BOUNDARY,
  COMPLETE_FORM,
  END,
  FILE,
  FORM,
  jsonOf,
  MEGABYTE,
  part,
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

describe('a form that is not right', () => {
  const refusals: [string, string | Uint8Array, Record<string, string>, number, RegExp][] = [
    [
      'with another boundary',
      COMPLETE_FORM,
      { 'Content-Type': 'multipart/form-data; boundary=other' },
      400,
      /could not be read/u,
    ],
    [
      'without a boundary',
      COMPLETE_FORM,
      { 'Content-Type': 'multipart/form-data' },
      400,
      /could not be read/u,
    ],
    [
      'with an empty boundary',
      COMPLETE_FORM,
      { 'Content-Type': 'multipart/form-data; boundary=""' },
      400,
      /could not be read/u,
    ],
    ['without a content type', COMPLETE_FORM, {}, 415, /multipart\/form-data/u],
    [
      'in JSON',
      '{"to":"+12025550123"}',
      { 'Content-Type': 'application/json' },
      415,
      /multipart\/form-data/u,
    ],
    [
      'url-encoded, so without a file',
      'to=%2B12025550123',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      415,
      /^Send the form as multipart\/form-data\.$/u,
    ],
    ['of no length', '', FORM, 400, /could not be read/u],
    ['without its end', `${TO}${FILE}`, FORM, 400, /could not be read/u],
    [
      'with a field that has no name',
      `${TO}${part('x="y"', 'z')}${FILE}${END}`,
      FORM,
      400,
      /could not be read/u,
    ],
    [
      'with a file that has no name',
      `${TO}${part('filename="a.txt"', 'z')}${END}`,
      FORM,
      400,
      /could not be read/u,
    ],
    [
      'with a file in an unknown field',
      `${TO}${FILE}${part('name="other"; filename="a"', 'z')}${END}`,
      FORM,
      400,
      /no file field "other"/u,
    ],
    ['with two numbers', `${TO}${TO}${FILE}${END}`, FORM, 400, /"to" can be given only once/u],
    [
      'with a number that is a file',
      `${part('name="to"; filename="a.txt"', '1')}${FILE}${END}`,
      FORM,
      400,
      /"to" is missing/u,
    ],
    [
      'with 10,000 fields',
      `${TO}${part('name="a"', 'b').repeat(10_000)}${FILE}${END}`,
      FORM,
      400,
      /One request can have at most 200 fields/u,
    ],
    ['with 60 files', `${TO}${FILE.repeat(60)}${END}`, FORM, 400, /One request can have at most 50 files/u],
    [
      'with a field of 2 MB',
      `${part('name="to"', '1'.repeat(2 * MEGABYTE))}${FILE}${END}`,
      FORM,
      413,
      /larger than the limit/u,
    ],
    [
      'with many large fields',
      `${part('name="to"', '1'.repeat(600_000)).repeat(3)}${FILE}${END}`,
      FORM,
      413,
      /larger than the limit/u,
    ],
    [
      'with a heading of 100 KB',
      `${part(`name="to"; x="${'y'.repeat(100_000)}"`, '1')}${FILE}${END}`,
      FORM,
      400,
      /could not be read/u,
    ],
    [
      'with an empty file',
      `${TO}${part('name="file"; filename="a.txt"', '')}${END}`,
      FORM,
      400,
      /^[A-Z].*\.$/u,
    ],
    [
      'with a number that is not UTF-8',
      Buffer.concat([
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="to"\r\n\r\n`),
        Buffer.from([0xff, 0xfe, 0x31]),
        Buffer.from(`\r\n${FILE}${END}`),
      ]),
      FORM,
      400,
      /incomplete or not valid/u,
    ],
    [
      'with a flag that is neither',
      `${TO}${part('name="urgent"', 'maybe')}${FILE}${END}`,
      FORM,
      400,
      /"urgent" must be true or false/u,
    ],
  ];
  test.each(refusals)(
    '%s is refused with a sentence, and the next fax goes well',
    async (_name, body, headers, status, sentence) => {
      const answer = await raw.post(body, headers);
      expect([answer.status, jsonOf(answer).detail]).toEqual([status, expect.stringMatching(sentence)]);
      expect(Object.keys(jsonOf(answer))).toEqual(['detail']);
      await raw.expectWorkFiles(0);
      expect((await raw.post(COMPLETE_FORM)).status).toBe(202);
    },
  );
});

test('a form with a field named __proto__ is taken without it', async () => {
  const answer = await raw.post(`${TO}${part('name="__proto__"', 'z')}${FILE}${END}`);
  expect([answer.status, answer.headers['x-ignored']]).toEqual([202, '__proto__']);
});

describe('the name of a file', () => {
  const names: [string, string, string][] = [
    ['path parts', 'filename="../../etc/passwd.txt"', 'passwd.txt'],
    ['path parts of Windows', 'filename="C:\\\\Users\\\\me\\\\letter.txt"', 'letter.txt'],
    ['quotes', 'filename="a\\"b\\".txt"', 'a"b".txt'],
    ['Unicode in UTF-8', 'filename="Überweisung – 診断.txt"', 'Überweisung – 診断.txt'],
    [
      'Unicode as RFC 8187 writes it',
      'filename="x.txt"; filename*=UTF-8\'\'%C3%9Cberweisung.txt',
      'Überweisung.txt',
    ],
    ['signs that turn the writing direction', 'filename="letter\u202Efdp.txt"', 'letterfdp.txt'],
    ['control characters', "filename*=UTF-8''a%0D%0A%07b.txt", 'ab.txt'],
    ['only dots', 'filename=".."', 'document'],
    ['300 letters', `filename="${'a'.repeat(300)}.txt"`, 'a'.repeat(200)],
  ];
  test.each(names)('with %s is made harmless and kept', async (_name, heading, kept) => {
    const answer = await raw.post(`${TO}${part(`name="file"; ${heading}`, 'Dear colleague')}${END}`);
    expect([answer.status, jsonOf(answer).document?.file_name]).toEqual([202, kept]);
  });

  test('with raw control characters is not read at all', async () => {
    const answer = await raw.post(
      `${TO}${part('name="file"; filename="a\u0007b.txt"', 'Dear colleague')}${END}`,
    );
    expect(answer.status).toBe(400);
    await raw.expectWorkFiles(0);
  });

  test('does not decide where anything is written', async () => {
    const before = await readdir(gateway.dataFolder);
    await raw.post(
      `${TO}${part('name="file"; filename="..\\\\..\\\\gateway.lock"', 'Dear colleague')}${END}`,
    );
    expect(await readdir(gateway.dataFolder)).toEqual(before);
  });
});
