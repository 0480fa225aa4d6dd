import { errorOf } from '../../../server/adapters/providers/cloudtwo/error-body.ts';
import { plainText } from '../../../server/adapters/providers/plain-text.ts';
import { readOutcome } from '../../../server/adapters/providers/sip/outcome-record.ts';
import { e164Of, utcTime } from '../../../server/adapters/providers/wire-values.ts';
import { decodeCursor } from '../../../server/db/keyset.ts';
import { parseCanonical } from '../../../server/features/direct/wire/canonical-json.ts';
import { parseCard } from '../../../server/features/direct/wire/card.ts';
import { STATEMENT_BYTES } from '../../../server/features/direct/wire/statement.ts';
import { notificationCopy } from '../../../server/features/inbound/service.ts';
import { createBase64Text } from '../../../server/http/base64-text.ts';
import { createJoinedPieces } from '../../../server/http/joined-pieces.ts';
import { createJsonMemberExtractor } from '../../../server/http/json-member-extractor.ts';
import { createRangeCheck } from '../../../server/platform/address-range.ts';
import { createAmiReader } from '../../../server/platform/ami/reader.ts';
import { requestedNumber } from '../../../server/platform/phone-number.ts';
import { searchTerms } from '../../../server/platform/search-text.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { roundedMillionths } from '../../../shared/money.ts';
import {
  ANSWER_BYTES,
  fill,
  HEAD_BYTES,
  JSON_BYTES,
  KB,
  latin1,
  nested,
  oneByte,
  over,
  type Reader,
} from './reader.ts';

const notification = (parts: object) => () =>
  notificationCopy({ url: '/', headers: {}, fields: [], json: null, files: [], ...parts } as never);
const jsonNotification = (make: (size: number) => string) => (size: number) =>
  notification({ contentType: 'json', json: JSON.parse(make(size)) });
const formNotification = (name: string, make: (size: number) => string) => (size: number) =>
  notification({ contentType: 'multipart', fields: [[name, make(size)]] });
const engine = (make: (size: number) => readonly Buffer[]) => (size: number) => {
  const pieces = make(size);
  return () => {
    const reader = createAmiReader();
    reader.push(latin1('Asterisk Call Manager/1.0\r\n'));
    for (const piece of pieces) reader.push(piece);
  };
};

const readCanonical = (text: string) => parseCanonical(Buffer.from(text), STATEMENT_BYTES);
const unsortedMembers = (size: number) => {
  const names = Array.from({ length: Math.floor(size / 12) }, (_, at) => `"${String(9_999 - at)}x":1`);
  return `{${names.join(',')}}`;
};

/** Readers of bytes that come from a network. */
export const WIRE_READERS: Readonly<Record<string, Reader>> = {
  'a notification of a provider': {
    most: JSON_BYTES,
    where: 'loop',
    attacks: [
      ['of lists in lists', jsonNotification((size) => nested('[', ']', size))],
      [
        'of objects in objects',
        jsonNotification((size) => `${fill('{"a":', size / 2)}1${fill('}', size / 10)}`),
      ],
      [
        'of names',
        jsonNotification(
          (size) => `{${Array.from({ length: size / 12 }, (_, at) => `"n${at}":""`).join(',')}}`,
        ),
      ],
      ['of slashes', formNotification('a', (size) => fill('/', size))],
      ['of addresses without an end', formNotification('a', (size) => fill('//a', size))],
      ['of lists in lists in a field', formNotification('a', (size) => nested('[', ']', size))],
    ],
  },
  'a file within JSON': {
    most: JSON_BYTES,
    where: 'loop',
    attacks: [
      [
        'that comes thousands of times',
        over(
          (size) => `{${fill('"file":"",', size)}`,
          (text) => createJsonMemberExtractor('file').extract(Buffer.from(text)),
        ),
      ],
      [
        'that comes byte by byte',
        (size) => {
          const pieces = oneByte(`{"file":"${fill('A', size / 4)}"`);
          return () => {
            const extractor = createJsonMemberExtractor('file');
            const text = createBase64Text();
            for (const piece of pieces) for (const part of extractor.extract(piece).value) text.add(part);
          };
        },
      ],
      [
        'of escapes',
        over(
          (size) => fill('\\u0041', size),
          (text) => createBase64Text().add(Buffer.from(text)),
        ),
      ],
      [
        'of spaces',
        over(
          (size) => fill(' ', size),
          (text) => createBase64Text().add(Buffer.from(text)),
        ),
      ],
    ],
  },
  'the pieces of a body': {
    most: JSON_BYTES,
    where: 'loop',
    attacks: [
      [
        'of one byte each',
        (size) => {
          const bytes = oneByte(fill('x', size / 2));
          return () => {
            const pieces = createJoinedPieces();
            for (const byte of bytes) pieces.add(byte);
          };
        },
      ],
    ],
  },
  'an answer of a provider': {
    most: ANSWER_BYTES,
    where: 'loop',
    attacks: [
      [
        'of addresses',
        over(
          (size) => fill('http://', size),
          (text) => plainText(text, 200, ['secret']),
        ),
      ],
      ['with a number of spaces', over((size) => `+${fill(' ', size)}`, e164Of)],
      ['with a time of brackets', over((size) => `${fill('(', size)}Z`, utcTime)],
      ['with an amount of digits', over((size) => fill('1', size), roundedMillionths)],
      [
        'with thousands of wrong fields',
        (size) => {
          const fieldViolations = Array.from({ length: size / 32 }, () => ({ field: 'a', description: 'b' }));
          return () => errorOf({ message: 'a', details: { fieldViolations } });
        },
      ],
    ],
  },
  'what the telephone engine says': {
    most: 256 * KB,
    where: 'loop',
    attacks: [
      ['of short messages', engine((size) => [latin1(fill('a: b\r\n\r\n', size))])],
      [
        'of lines that come byte by byte',
        engine((size) => oneByte(fill(`a: ${'b'.repeat(200)}\n`, size / 4))),
      ],
      ['of one message without an end', engine((size) => [latin1(fill('a: b\r\n', size))])],
      [
        'of facts of a call',
        over(
          (size) => fill('a=b;', size),
          (text) => readOutcome(text, text),
        ),
      ],
    ],
  },
  'the headers of a request': {
    most: HEAD_BYTES,
    where: 'loop',
    attacks: [
      [
        'with a cursor of brackets',
        over(
          (size) => Buffer.from(fill('[', size)).toString('base64url'),
          (text) => decodeCursor(text, 2),
        ),
      ],
      ['with a search of spaces', over((size) => fill('\u00a0', size), searchTerms)],
      ['with an address of colons', over((size) => fill(':', size), createRangeCheck(['10.0.0.0/8']))],
      [
        'with a number of digits',
        over(
          (size) => fill('+1', size),
          (text) => requestedNumber(text, 'US'),
        ),
      ],
    ],
  },
  'a statement or manifest of a partner': {
    most: STATEMENT_BYTES,
    where: 'loop',
    attacks: [
      ['of brackets', over((size) => nested('[', ']', size), readCanonical)],
      ['of objects in each other', over((size) => fill('{"":', size), readCanonical)],
      ['of members in the wrong order', over(unsortedMembers, readCanonical)],
      ['of escapes', over((size) => `"${fill('\\u0041', size)}"`, readCanonical)],
    ],
  },
  'a card that was pasted': {
    most: 2 * LIMITS.direct.cardBytes,
    where: 'loop',
    attacks: [
      ['of spaces', over((size) => `faxdesk-card:${fill(' ', size - 14)}!`, parseCard)],
      ['of brackets', over((size) => `{"direct":1,"a":${fill('[', size - 20)}`, parseCard)],
      ['of base64url', over((size) => `faxdesk-card:${fill('A', size - 13)}`, parseCard)],
      [
        'with an address of slashes',
        over((size) => `{"direct":1,"endpoint":"https://${fill('/', size - 40)}"}`, parseCard),
      ],
    ],
  },
};
