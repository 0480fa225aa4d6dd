import { FAULT_KINDS, faultOfSentence } from './fault-kinds.ts';

/** Facts of a line of the log: its own fields and those that were recorded beside the message. */
interface LoggedFacts {
  readonly at: string | null;
  readonly level: string;
  readonly room: string | null;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Line below the title of a report. */
export const REPORT_PROMISE = 'Without names, fax numbers, addresses, folders and documents.';

const MAX_STACK_FRAMES = 8;
const LEFT_OUT = '(a sentence, left out)';
/** A message of our own is a phrase in small letters; a sentence may name a person, a number, a folder or an address. */
const OWN_PHRASE = /^[a-z](?:[a-z ,;:'\u2019()-]|\(\d{1,3}\)){0,160}$/u;
/** A state, a kind or a code, and not the name of anything. */
const CODE = /^[A-Za-z][A-Za-z0-9_.-]{0,60}$/u;
/** Facts whose texts are codes. */
const CODED = ['kind', 'state', 'code', 'status', 'backend', 'provider', 'database', 'method', 'permission'];
/** Place in a program, without the folder that it is in. */
const FRAME =
  /(?:^|.*[\\/])((?:server|shared|main|out|node_modules)[\\/][\w@.+\\/-]{1,160}:\d{1,7}:\d{1,7})\)?$/u;

/**
 * Returns a line of the log for a stranger: time, level, room, message, counts, codes and places in the program. Texts
 * that may hold a name, a number, an address or a folder are left out.
 */
export function anonymousLine({ at, level, room, message, facts }: LoggedFacts): string {
  const own = OWN_PHRASE.test(message) ? message : LEFT_OUT;
  const line = [at ?? '-', level, room ?? '-', own, ...anonymousFacts(facts)].join(' ');
  return [line, ...anonymousError(facts['error'])].join('\n');
}

/** Returns the same of a line as it was written: JSON of the gateway, or the output of a program, of which only places stay. */
export function anonymousOutput(line: string): string[] {
  const facts = parsed(line);
  const frame = facts === null ? frameOf(line) : null;
  if (facts === null) return frame === null ? [] : [`    ${frame}`];
  const { time, level, logger, msg, ...rest } = facts;
  const text = anonymousLine({
    at: textOf(time, /^[\d:.TZ-]{1,30}$/u),
    level: textOf(level, CODE) ?? '-',
    room: textOf(logger, /^[a-z:-]{1,60}$/u),
    message: typeof msg === 'string' ? msg : '',
    facts: rest,
  });
  return [text];
}

/** Returns the faults that sentences report, by kind; of the others only the number. */
export function anonymousFaults(sentences: readonly string[]): string[] {
  const kinds = sentences.map((sentence) => faultOfSentence(sentence)?.kind ?? null);
  const known = [...new Set(kinds.filter((kind) => kind !== null))];
  const others = kinds.filter((kind) => kind === null).length;
  const lines = known.map((kind) => `${kind}: ${FAULT_KINDS[kind].name}`);
  return others === 0 ? lines : [...lines, `others, whose sentences are left out: ${others}`];
}

/** Formats a size as in `12.3 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;

/** Returns counts by name as a line, those that are zero left out. */
export function countsLine(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}

function anonymousFacts(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    if (!CODE.test(name)) return [];
    const number = typeof value === 'number' ? shortNumber(value) : null;
    if (typeof value === 'boolean' || number !== null) return [`${name}=${String(value)}`];
    return CODED.includes(name) && typeof value === 'string' && CODE.test(value) ? [`${name}=${value}`] : [];
  });
}

/** The name and the code of an error and its causes, and the places that led to it. */
function anonymousError(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 3) return [];
  const { name, code, stack, cause } = error as Record<string, unknown>;
  const words = [
    textOf(name, CODE),
    typeof code === 'number' ? shortNumber(code) : textOf(code, CODE),
  ].filter((word) => word !== null);
  const frames = (typeof stack === 'string' ? stack.slice(0, 20_000).split('\n') : [])
    .map(frameOf)
    .filter((frame) => frame !== null)
    .slice(0, MAX_STACK_FRAMES);
  return [
    `  error ${words.join(' ')}`,
    ...frames.map((frame) => `    ${frame}`),
    ...anonymousError(cause, depth + 1),
  ];
}

/** A longer one may be a fax number. */
const shortNumber = (value: number): string | null => (Math.abs(value) < 1e6 ? String(value) : null);

const frameOf = (line: string): string | null =>
  /^\s*at /u.test(line) ? (FRAME.exec(line.slice(-400).trimEnd())?.[1] ?? null) : null;

function textOf(value: unknown, shape: RegExp): string | null {
  return typeof value === 'string' && shape.test(value) ? value : null;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
