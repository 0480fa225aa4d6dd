import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBase64Text } from '../../server/http/base64-text.ts';
import { createJsonMemberExtractor } from '../../server/http/json-member-extractor.ts';
import { RefusalError } from '../../server/platform/errors.ts';

/** Returns the remaining JSON and the content of the member `file`, when the body arrives in these pieces. */
function extracted(pieces: readonly Buffer[]): { json: unknown; file: Buffer; count: number } {
  const extractor = createJsonMemberExtractor('file');
  const base64 = createBase64Text();
  const rest: Buffer[] = [];
  const file: Buffer[] = [];
  for (const piece of pieces) {
    const { rest: kept, value } = extractor.extract(piece);
    rest.push(...kept);
    file.push(...value.map((part) => base64.add(part)));
  }
  file.push(base64.end());
  const json: unknown = JSON.parse(Buffer.concat(rest).toString());
  return { json, file: Buffer.concat(file), count: extractor.count };
}

const document = randomBytes(40);
const base64 = document.toString('base64');
const escaped = (text: string) =>
  text.replaceAll('/', '\\/').replaceAll('+', String.raw`\u002B`).replaceAll('=', String.raw`\u003d`);

const CASES: readonly [name: string, body: string, left: unknown][] = [
  ['alone', `{"file":"${base64}"}`, { file: '' }],
  ['last', `{"event":"IN","fax":{"id":"1","n":[1,{"a":2}]},"file": "${base64}" }`, null],
  ['first', `{ "file"\n:\t"${base64}", "event": "IN\\"{[,:file", "fax": "{\\"file\\":1}" }`, null],
  ['with escapes', `{"a":"\\\\","file":"${escaped(`${base64.slice(0, 20)}+/`)}${base64.slice(20)}"}`, null],
  ['with line breaks', `{"file":"${base64.replaceAll(/.{10}/gu, '$&\\r\\n')}","b":null}`, null],
];

describe('the file of a JSON body', () => {
  test.each(CASES)('is taken out wherever the body is cut: %s', (_name, body, left) => {
    const whole = JSON.parse(body) as { file: string };
    const bytes = Buffer.from(body);
    const expected = {
      json: left ?? { ...whole, file: '' },
      file: Buffer.from(whole.file, 'base64'),
      count: 1,
    };
    for (let cut = 0; cut <= bytes.length; cut += 1)
      expect(extracted([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
    expect(extracted(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test.each([
    ['in an inner object', { fax: { file: base64 } }],
    ['in a list', [{ file: base64 }]],
    ['as a value', { event: 'file', other: base64 }],
    ['that is no text', { file: 7 }],
    ['that is an object', { file: { file: 'x' } }],
    ['with a longer name', { file_url: base64, 'a file': base64 }],
  ])('is not anything else: one %s stays', (_name, json) => {
    expect(extracted([Buffer.from(JSON.stringify(json))])).toEqual({ json, file: Buffer.alloc(0), count: 0 });
  });

  test('is counted when it is there twice', () => {
    expect(extracted([Buffer.from('{"file":"","file":""}')]).count).toBe(2);
  });

  test('with an escape that is none is refused', () => {
    expect(() => extracted([Buffer.from(String.raw`{"file":"AAAA\xAAAAAAAAAAAA"}`)])).toThrow(RefusalError);
  });
});
