import type { HeaderLine } from './header-line.ts';

const MAX_CHARACTERS = 16_384;

/** Verdict of the trusted server about a message. */
interface TrustedVerdict {
  /** The message passes DMARC for the domain of its sender. */
  readonly passed: boolean;
  /** Domain whose server submitted the message, by SPF, in lower case; null where unknown. */
  readonly submittedBy: string | null;
}

/**
 * Reads the verdict of the trusted server for the domain of the sender; null for no verdict. It puts its one field on top of
 * what came: one that stands below another, two of them, one that does not follow RFC 8601, and two results of DMARC are no
 * verdict, since any of them may be anybody's.
 */
export function trustedVerdict(
  headers: readonly HeaderLine[],
  server: string,
  domain: string,
): TrustedVerdict | null {
  const fields = headers.filter(({ key }) => key === 'authentication-results');
  const [own, another] = fields.filter(({ line }) => line.toLowerCase().includes(server.toLowerCase()));
  if (own === undefined || another !== undefined || own !== fields[0]) return null;
  const results = parseResults(own.line.slice(own.line.indexOf(':') + 1));
  if (results === null || results.server.toLowerCase() !== server.toLowerCase()) return null;
  const dmarc = findSingle(results.found, 'dmarc');
  if (dmarc === null) return null;
  const from = dmarc.properties.filter(([name]) => name === 'header.from');
  const isOfDomain = from.length === 1 && from[0]?.[1].toLowerCase() === domain.toLowerCase();
  const spf = findSingle(results.found, 'spf');
  const senders = spf?.result === 'pass' ? spf.properties.filter(([name]) => name === 'smtp.mailfrom') : [];
  const [mailFrom] = senders.length === 1 ? senders : [];
  return {
    passed: isOfDomain && dmarc.result === 'pass',
    submittedBy:
      mailFrom === undefined ? null : mailFrom[1].slice(mailFrom[1].lastIndexOf('@') + 1).toLowerCase(),
  };
}

interface Result {
  readonly method: string;
  readonly result: string;
  readonly properties: readonly (readonly [name: string, value: string])[];
}

function findSingle(found: readonly Result[], method: string): Result | null {
  const [one, another] = found.filter((result) => result.method === method);
  return one === undefined || another !== undefined ? null : one;
}

/** The value of the field by the grammar of RFC 8601, in linear time; null for what does not follow it. */
function parseResults(value: string): { server: string; found: Result[] } | null {
  const parts = value.length > MAX_CHARACTERS ? null : partsOf(value);
  if (parts === null) return null;
  const [[server, version, ...more] = [], ...rest] = parts;
  if (server === undefined || server.name !== null || more.length > 0) return null;
  if (version !== undefined && !isVersion(version)) return null;
  const found = rest.filter((words) => words.length > 0).map(resultOf);
  return found.includes(null) ? null : { server: server.value, found: found as Result[] };
}

const isVersion = ({ name, value, isQuoted }: Word) => name === null && !isQuoted && /^\d{1,3}$/u.test(value);

function resultOf([first, ...rest]: readonly Word[]): Result | null {
  if (first === undefined) return null;
  if (first.name === null)
    return first.value.toLowerCase() === 'none' && rest.length === 0 ? NO_RESULT : null;
  if (first.isQuoted || rest.some(({ name }) => name === null)) return null;
  return {
    method: first.name.toLowerCase().split('/')[0] ?? '',
    result: first.value.toLowerCase(),
    properties: rest.map(({ name, value }) => [(name ?? '').toLowerCase(), value] as const),
  };
}

const NO_RESULT: Result = { method: '', result: 'none', properties: [] };

/** `name=value`, or a value alone. */
interface Word {
  readonly name: string | null;
  readonly value: string;
  /** Some of the value stood in quotes. */
  readonly isQuoted: boolean;
}

type Token = { readonly kind: 'text' | 'quoted' | 'space' | '=' | ';'; readonly text: string };

const TOKEN = /([^\s"()\\;=]+)|("(?:[^"\\]|\\.)*")|( +)|(=)|(;)|(\()/uy;

/** The words of each part between semicolons; null where a quote or a comment does not end. */
function partsOf(value: string): Word[][] | null {
  const tokens = tokensOf(value.replaceAll(/[\t\r\n]/gu, ' '));
  if (tokens === null) return null;
  const parts: Token[][] = [[]];
  for (const token of tokens)
    if (token.kind === ';') parts.push([]);
    else parts.at(-1)?.push(token);
  const words = parts.map(wordsOf);
  return words.includes(null) ? null : (words as Word[][]);
}

function tokensOf(value: string): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < value.length; ) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(value);
    if (!found) return null;
    const [text, word, quoted, space, equals, , comment] = found;
    at = comment === undefined ? TOKEN.lastIndex : endOfComment(value, at);
    if (at === -1) return null;
    if (word !== undefined) tokens.push({ kind: 'text', text });
    else if (quoted !== undefined)
      tokens.push({ kind: 'quoted', text: quoted.slice(1, -1).replaceAll(/\\(.)/gu, '$1') });
    else if (comment !== undefined || space !== undefined) tokens.push({ kind: 'space', text: ' ' });
    else tokens.push({ kind: equals === undefined ? ';' : '=', text });
  }
  return tokens;
}

/** Returns the offset after the comment that starts at `from`, including nested ones; -1 when it is not closed. */
function endOfComment(value: string, from: number): number {
  let depth = 0;
  for (let at = from; at < value.length; at += 1) {
    const letter = value[at];
    if (letter === '\\') at += 1;
    else if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** Words of one part; spaces may stand around the first `=` of each, and nowhere else within. */
function wordsOf(tokens: readonly Token[]): Word[] | null {
  const words: Word[] = [];
  let at = 0;
  const skip = () => {
    while (tokens[at]?.kind === 'space') at += 1;
  };
  const run = (isValue: boolean): Token[] => {
    const found: Token[] = [];
    for (let token = tokens[at]; token && token.kind !== 'space'; token = tokens[at]) {
      if (token.kind === '=' && !isValue) break;
      found.push(token);
      at += 1;
    }
    return found;
  };
  const textOf = (found: readonly Token[]) => found.map(({ text }) => text).join('');
  const isQuoted = (found: readonly Token[]) => found.some(({ kind }) => kind === 'quoted');
  // Text stands beside a quoted string in addresses alone: a name written so is meant to be overlooked.
  const isMixed = (found: readonly Token[]) =>
    found.length > 1 &&
    isQuoted(found) &&
    !found.some(({ kind, text }) => kind === 'text' && text.includes('@'));
  for (skip(); at < tokens.length; skip()) {
    const before = run(false);
    skip();
    if (tokens[at]?.kind !== '=') {
      if (before.length === 0 || isMixed(before)) return null;
      words.push({ name: null, value: textOf(before), isQuoted: isQuoted(before) });
      continue;
    }
    at += 1;
    skip();
    const value = run(true);
    // A name is never quoted.
    if (before.length === 0 || value.length === 0 || isQuoted(before) || isMixed(value)) return null;
    words.push({ name: textOf(before), value: textOf(value), isQuoted: isQuoted(value) });
  }
  return words;
}
