import { DocumentError } from '../document-error.ts';

const damaged = 'The text file is damaged.';
/** More than any script sets on a letter. Putting them in order takes time by the square of their number, and nothing ends that. */
const manyMarks = /\p{M}{31}/u;

/**
 * Text of a file: UTF-8 or UTF-16 by its mark, else UTF-8 when it is valid, else Windows-1252. Line ends become `\n`.
 * Throws when it holds control characters, which text does not, or a letter with more accents than any has.
 */
export function decodeText(bytes: Uint8Array): string {
  const read = decode(bytes);
  if (manyMarks.test(read))
    throw new DocumentError(
      'unsupported',
      'The text has a letter with more than 30 accents, which cannot be printed. Send it as a PDF.',
    );
  const text = read
    .replace(/\r\n?|\u0085|\u2028|\u2029/g, '\n')
    .replace(/\x1a$/, '')
    .normalize('NFC');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/.test(text)) {
    throw new DocumentError('unsupported', 'The document is not a text file.');
  }
  return text;
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return strict('utf-16le', bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return strict('utf-16be', bytes);
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (marked) return strict('utf-8', bytes);
  try {
    return strict('utf-8', bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function strict(encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DocumentError('invalid', damaged, { cause: error });
  }
}
