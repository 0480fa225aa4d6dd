import { decodeText } from '../../../server/documents/text/decode-text.ts';
import { readCards } from '../../../server/features/contacts/vcard/read-cards.ts';
import { baseAddress, browserOrigin } from '../../../server/features/settings/web-address.ts';
import { readChecksums } from '../../../server/features/work/evidence/checksums.ts';
import { historyText } from '../../../server/features/work/evidence/history-text.ts';
import type { EvidenceManifest } from '../../../server/features/work/evidence/manifest.ts';
import { verifyChainedLines } from '../../../server/platform/chained-lines.ts';
import { csvLine } from '../../../server/platform/csv.ts';
import { readCsv } from '../../../server/platform/read-csv.ts';
import { searchTextOf } from '../../../server/platform/search-text.ts';
import { filledTemplate, unknownPlaceholders } from '../../../server/platform/template.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { VISIBLE_LINE, VISIBLE_TEXT } from '../../../shared/visible-text.ts';
import { fill, JSON_BYTES, KB, nested, over, type Reader } from './reader.ts';

const history = (text: (size: number) => string) => (size: number) => {
  const at = '2026-11-23T09:00:00.000Z';
  const told = { item: {}, document: {}, acquisition: [], email_delivery: [] };
  const manifest = { ...told, history: [{ occurred_at: at, text: text(size) }] };
  return () => historyText(manifest as unknown as EvidenceManifest, { country: 'US', timeZone: 'UTC' });
};
const readList = (text: string) => readCsv(text, (sentence) => new Error(sentence));
async function* linesOf(text: string) {
  yield* text.split('\n');
}

/** Values, texts and files that people give. */
export const TEXT_READERS: Readonly<Record<string, Reader>> = {
  'a value of a setting': {
    most: JSON_BYTES,
    where: 'loop',
    attacks: [
      [
        'of slashes before another sign',
        over(
          (size) => `https://a.b${fill('/', size)}x`,
          (text) => baseAddress.safeParse(text),
        ),
      ],
      [
        'of slashes',
        over(
          (size) => `https://a.b${fill('/', size)}`,
          (text) => baseAddress.safeParse(text),
        ),
      ],
      [
        'of points',
        over(
          (size) => `https://${fill('a.', size)}`,
          (text) => browserOrigin.safeParse(text),
        ),
      ],
      [
        'of braces',
        over(
          (size) => fill('{', size),
          (text) => [filledTemplate(text, {}), unknownPlaceholders(text, [])],
        ),
      ],
      [
        'of braces with a name',
        over(
          (size) => fill('{a', size),
          (text) => [filledTemplate(text, {}), unknownPlaceholders(text, [])],
        ),
      ],
    ],
  },
  'a text that is stored': {
    most: JSON_BYTES,
    where: 'loop',
    attacks: [
      [
        'of accents on one letter',
        over(
          (size) => `a${fill('\u0323\u0307', size)}`,
          (text) => searchTextOf([text]),
        ),
      ],
      [
        'of spaces before another sign',
        over(
          (size) => `${fill(' ', size)}x`,
          (text) => searchTextOf([text]),
        ),
      ],
      [
        'of line ends',
        over(
          (size) => fill('\n', size),
          (text) => VISIBLE_TEXT.test(text),
        ),
      ],
      [
        'of letters before a hidden sign',
        over(
          (size) => `${fill('a', size)}\u0000`,
          (text) => VISIBLE_LINE.test(text),
        ),
      ],
      [
        'of quotes in a table',
        over(
          (size) => fill('"', size),
          (text) => csvLine([text]),
        ),
      ],
    ],
  },
  'the history in an evidence archive': {
    most: JSON_BYTES,
    where: 'loop',
    attacks: [
      ['of spaces', history((size) => `a${fill(' ', size)}b`)],
      ['of line ends', history((size) => fill('\n', size))],
      ['of spaces and line ends', history((size) => fill(' \n', size))],
    ],
  },
  'an address book': {
    // A fifth of the largest. It pauses every few milliseconds: see contacts-import.test.ts.
    most: LIMITS.contactsFileBytes / 5,
    where: 'apart',
    attacks: [
      ['of quotes', over((size) => `Name,Fax\n"${fill('""', size)}`, readList)],
      ['of one value', over((size) => `Name,Fax\n"${fill('a\n', size)}`, readList)],
      ['of empty lines', over((size) => `Name,Fax\n${fill('\r', size)}`, readList)],
      ['of separators in the first line', over((size) => fill(';,\t', size), readList)],
    ],
  },
  'a file of vCards': {
    most: LIMITS.contactsFileBytes / 5,
    where: 'apart',
    attacks: (
      [
        ['of folds', (size) => `BEGIN:VCARD\nNOTE:a\n${fill(' a\n', size)}END:VCARD`],
        ['of one line', (size) => `BEGIN:VCARD\nNOTE:${fill('\\;', size)}\nEND:VCARD`],
        ['of a name without an end', (size) => `BEGIN:VCARD\n${fill('A', size)}`],
        ['of parameters', (size) => `BEGIN:VCARD\nTEL${fill(';"a,', size)}:1\nEND:VCARD`],
        ['of quotes', (size) => `BEGIN:VCARD\nTEL${fill(';"', size)}:1\nEND:VCARD`],
        ['of soft line ends', (size) => `BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:${fill('=\n', size)}`],
        ['of cards', (size) => fill('BEGIN:VCARD\nEND:VCARD\n', Math.min(size, 400_000))],
        ['of cards without an end', (size) => fill('BEGIN:VCARD\n', Math.min(size, 200_000))],
        ['of numbers', (size) => `BEGIN:VCARD\n${fill('TEL;TYPE=fax:555\n', size)}END:VCARD`],
        ['of categories', (size) => `BEGIN:VCARD\nCATEGORIES:${fill(',', size)}\nEND:VCARD`],
      ] as readonly (readonly [string, (size: number) => string])[]
    ).map(([name, text]) => [name, over(text, (given) => readCards(Buffer.from(given)))]),
  },
  'a text file': {
    most: KB * KB,
    where: 'apart',
    attacks: [
      [
        'of accents on one letter',
        (size) => {
          const bytes = Buffer.from(`a${fill('\u0323\u0307', size / 2)}`);
          return () => decodeText(bytes);
        },
      ],
      [
        'of line ends',
        over(
          (size) => fill('\r', size),
          (text) => decodeText(Buffer.from(text)),
        ),
      ],
      [
        'of accents on thousands of letters',
        (size) => {
          const bytes = Buffer.from(fill(`a${'\u0323\u0307'.repeat(15)}`, size / 8));
          return () => decodeText(bytes);
        },
      ],
    ],
  },
  'the digests in an evidence archive': {
    most: 4 * KB * KB,
    where: 'apart',
    attacks: [
      ['of files', over((size) => fill(`${'a'.repeat(64)}  ${'b'.repeat(30)}\n`, size), readChecksums)],
      ['of one line', over((size) => `${'a'.repeat(64)}  ${fill('b', size)}\n`, readChecksums)],
    ],
  },
  'the lines of an audit file': {
    most: KB * KB,
    where: 'apart',
    attacks: [
      [
        'of numbers',
        over(
          (size) => `a${fill(' seq=1', size)}`,
          (text) => verifyChainedLines(linesOf(text)),
        ),
      ],
      [
        'of digits',
        over(
          (size) => `a seq=${fill('1', size)}`,
          (text) => verifyChainedLines(linesOf(text)),
        ),
      ],
      [
        'of lists in lists',
        over(
          (size) => `{"a":${nested('[', ']', size)}}`,
          (text) => verifyChainedLines(linesOf(text)),
        ),
      ],
    ],
  },
};
