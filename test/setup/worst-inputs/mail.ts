import type { HeaderLine } from '../../../server/adapters/mail/header-line.ts';
import { bodyOffset, MAX_HEADER_BYTES, readHead } from '../../../server/adapters/mail/mail-header.ts';
import { coverageProblem, parseSignatures } from '../../../server/adapters/mail/signature-rule.ts';
import { trustedVerdict } from '../../../server/adapters/mail/trusted-results.ts';
import { addressesIn } from '../../../server/features/mail-to-fax/addresses.ts';
import { recipientOf } from '../../../server/features/mail-to-fax/recipient.ts';
import { type Attack, fill, KB, latin1, over, type Reader } from './reader.ts';

const head = (make: (size: number) => string) => over(make, (text) => readHead(latin1(text)));
const results = (piece: string): Attack => [
  `of ${JSON.stringify(piece)}`,
  over(
    (size) => `Authentication-Results: mx.example; ${fill(piece, size)}`,
    (line) => trustedVerdict([{ key: 'authentication-results', line }], 'mx.example', 'clinic.example'),
  ),
];
const fieldsOf = (line: string, count: number): HeaderLine[] =>
  Array.from({ length: count }, () => ({ key: line.slice(0, line.indexOf(':')).toLowerCase(), line }));
const subject = (make: (size: number) => string) =>
  over(make, (text) => recipientOf({ subject: text, recipients: [] }, 'US'));

/** E-mails of anybody. */
export const MAIL_READERS: Readonly<Record<string, Reader>> = {
  'the header of an e-mail': {
    most: MAX_HEADER_BYTES,
    where: 'loop',
    attacks: [
      ['of carriage returns in a field', head((size) => `From: a@b.c\r\nX: ${fill('\r', size)}x\r\n\r\n`)],
      ['of carriage returns and nothing else', head((size) => `${fill('\r', size)}x`)],
      ['of spaces', head((size) => `From: a@b.c\r\nAuto-Submitted:${fill(' ', size)}x\r\n\r\n`)],
      ['of short fields', head((size) => `${fill('a:b\n', size)}\n`)],
      ['of one folded field', head((size) => `Precedence: a\r\n${fill(' b\r\n', size)}\r\n`)],
      ['of one address after another', head((size) => `From: ${fill('a@b,', size)}\r\n\r\n`)],
      ['of comments in comments', head((size) => `From: ${fill('(', size)}\r\n\r\n`)],
      [
        'without an end',
        over(
          (size) => fill('\r', size),
          (text) => bodyOffset(latin1(text)),
        ),
      ],
    ],
  },
  'what a trusted server found of an e-mail': {
    most: 16 * KB,
    where: 'apart',
    attacks: ['"\\a', '()', '(', 'a=b ', '=', ';', 'a ', '\\'].map(results),
  },
  'the signatures of an e-mail': {
    most: MAX_HEADER_BYTES,
    where: 'apart',
    attacks: [
      [
        'of which there are thousands',
        (size) => {
          const fields = fieldsOf('DKIM-Signature: d=a.b; a=b;', size / 28);
          return () => parseSignatures(fields, 'a.b');
        },
      ],
      [
        'of one with thousands of tags',
        over(
          (size) => `DKIM-Signature: d=a.b;${fill(' =;', size)}`,
          (line) => parseSignatures([{ key: 'dkim-signature', line }], 'a.b'),
        ),
      ],
      [
        'that names fields by the thousand',
        (size) => {
          const names = Array.from({ length: size / 5 }, () => 'from');
          return () => coverageProblem(fieldsOf('To: a', 4000), names);
        },
      ],
    ],
  },
  'the number in a subject': {
    most: MAX_HEADER_BYTES,
    where: 'loop',
    attacks: [
      ['of numbers', subject((size) => fill('a +12025550123 +12025550124 ', size))],
      ['of what is none', subject((size) => fill('+1 000 000 ', size))],
      ['of spaces behind a word', subject((size) => `fax${fill(' ', size)}x`)],
      ['of words that stand before a number', subject((size) => `${fill('fax : re: ', size)}x`)],
    ],
  },
  'the addresses of an e-mail': {
    most: MAX_HEADER_BYTES,
    where: 'loop',
    attacks: [
      ['of commas', over((size) => fill(',', size), addressesIn)],
      ['of one long word', over((size) => fill('a', size), addressesIn)],
      [
        'with numbers before the sign',
        (size) => {
          const recipients = Array.from({ length: size / 20 }, (_, at) => `+1202${5_550_000 + at}@a.b`);
          return () => recipientOf({ subject: '', recipients }, 'US');
        },
      ],
    ],
  },
};
