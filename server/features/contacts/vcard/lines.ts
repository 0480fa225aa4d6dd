import { setImmediate } from 'node:timers/promises';

/** Characters that are read without a pause: a few milliseconds. */
const PIECE = 200_000;
/** Longer than any value of a contact: longer ones, such as pictures, are cut. */
const MAX_VALUE = 12_000;

/** Property of a card: one logical line, its folds joined. */
export interface Property {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** Properties of one group belong together, as a number and its label; empty for none. */
  readonly group: string;
  /** In capitals. */
  readonly name: string;
  /** Values of TYPE in lower case, also those that version 2.1 writes without it. */
  readonly types: readonly string[];
  /** Other parameters by name in capitals. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Decoded to characters; escapes are still in it. */
  readonly value: string;
}

/**
 * Reads the properties of vCards of version 2.1, 3 or 4, each in its own character set. A line that is no property is left
 * out. Others are served meanwhile.
 */
export async function* readProperties(bytes: Uint8Array): AsyncGenerator<Property> {
  const text = binaryOf(bytes);
  let began = 0;
  let pieces: string[] = [];
  let number = 0;
  let pause = PIECE;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const line = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end);
    at = end + 1;
    number += 1;
    const last = pieces.length - 1;
    const isFold = line.startsWith(' ') || line.startsWith('\t');
    if (last >= 0 && pieces[last]?.endsWith('=') && isQuotedPrintable(pieces[0] ?? '')) {
      pieces[last] = (pieces[last] ?? '').slice(0, -1);
      pieces.push(line);
    } else if (last >= 0 && isFold) pieces.push(line.slice(1));
    else {
      const property = propertyOf(pieces.join(''), began);
      if (property) yield property;
      pieces = [line];
      began = number;
    }
    if (at >= pause) {
      pause = at + PIECE;
      await setImmediate();
    }
  }
  const property = propertyOf(pieces.join(''), began);
  if (property) yield property;
}

/** One character for each byte, so that each value is decoded in its own character set; UTF-16 becomes UTF-8 first. */
function binaryOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  const wide =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  const narrow =
    wide === null
      ? Buffer.from(isMarked ? bytes.subarray(3) : bytes)
      : Buffer.from(new TextDecoder(wide).decode(bytes));
  const text = narrow.toString('latin1');
  // Line ends of old Apple programs.
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

const isQuotedPrintable = (line: string) => /^[^:]{0,500}QUOTED-PRINTABLE/iu.test(line.slice(0, 600));

function propertyOf(line: string, number: number): Property | null {
  const colon = unquoted(line, ':', 0);
  if (colon === -1) return null;
  const [head = '', ...given] = splitUnquoted(line.slice(0, colon), ';');
  const dot = head.indexOf('.');
  const types: string[] = [];
  const parameters = new Map<string, string>();
  for (const one of given) {
    const equals = one.indexOf('=');
    const name = equals === -1 ? 'TYPE' : one.slice(0, equals).trim().toUpperCase();
    const value = one
      .slice(equals + 1)
      .replaceAll('"', '')
      .trim();
    if (name === 'TYPE') types.push(...value.toLowerCase().split(','));
    else parameters.set(name, value);
  }
  if (types.includes('quoted-printable')) parameters.set('ENCODING', 'quoted-printable');
  return {
    line: number,
    group: head.slice(0, Math.max(dot, 0)).toLowerCase(),
    name: head
      .slice(dot + 1)
      .trim()
      .toUpperCase(),
    types,
    parameters,
    value: decode(line.slice(colon + 1, colon + 1 + MAX_VALUE), parameters),
  };
}

/** Returns the position of a sign outside quotes, -1 for none. */
function unquoted(text: string, sign: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === sign && !isQuoted) return at;
  }
  return isQuoted && from === 0 ? text.indexOf(sign) : -1;
}

function splitUnquoted(text: string, sign: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = unquoted(text, sign, from); at !== -1; at = unquoted(text, sign, from)) {
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  return [...parts, text.slice(from)];
}

/** Decodes a value by its encoding and character set; without one as UTF-8, else as older Windows programs write. */
function decode(value: string, parameters: ReadonlyMap<string, string>): string {
  const isQuoted = parameters.get('ENCODING')?.toLowerCase() === 'quoted-printable';
  const raw = isQuoted
    ? value.replaceAll(/=([\dA-F]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : value;
  const bytes = Buffer.from(raw, 'latin1');
  for (const charset of [parameters.get('CHARSET') ?? 'utf-8', 'utf-8', 'windows-1252'])
    try {
      return new TextDecoder(charset, { fatal: charset !== 'windows-1252' }).decode(bytes);
    } catch {}
  return raw;
}
