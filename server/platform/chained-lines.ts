import { createHash } from 'node:crypto';

/** The last of the lines: its number and its digest. */
export interface ChainEnd {
  readonly seq: number;
  readonly digest: string;
}

/** End of an empty chain. */
export const CHAIN_START: ChainEnd = { seq: 0, digest: '0'.repeat(64) };

/** Result of verifying the lines of an audit file. */
interface VerifiedLines {
  readonly intact: boolean;
  /** Number of the first and of the last line that is as it was written; null when there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** The result in one sentence for a person. */
  readonly sentence: string;
}

/** Checks the lines of an audit file, or of one that was rotated away; its first line is taken as the beginning. */
export async function verifyChainedLines(lines: AsyncIterable<string>): Promise<VerifiedLines> {
  let first: number | null = null;
  let last: ChainEnd | null = null;
  let number = 0;
  const broken = (sentence: string): VerifiedLines => ({
    intact: false,
    first,
    last: last?.seq ?? null,
    sentence,
  });
  for await (const text of lines) {
    number += 1;
    if (text.trim() === '') continue;
    const line = readLine(text);
    if (line === null) {
      // An earlier release wrote lines without a chain.
      if (last === null) continue;
      return broken(`Line ${number} of the file was altered or is incomplete.`);
    }
    if (line.digest !== line.computed) return broken(`Line ${number} of the file was altered.`);
    if (last !== null && (line.seq !== last.seq + 1 || line.previous !== last.digest))
      return broken(missingBefore(number, last.seq, line.seq));
    first ??= line.seq;
    last = line;
  }
  if (first === null || last === null)
    return { intact: false, first, last: null, sentence: 'The file contains no audit lines with digests.' };
  const sentence = `The file is complete and unchanged from line number ${first} to ${last.seq}.`;
  return { intact: true, first, last: last.seq, sentence };
}

function missingBefore(number: number, last: number, seq: number): string {
  if (seq <= last + 1) return `Line ${number} of the file does not follow the one before it.`;
  const which = seq === last + 2 ? `number ${last + 1} is` : `numbers ${last + 1} to ${seq - 1} are`;
  return `Before line ${number} of the file, ${which} missing.`;
}

interface ReadLine extends ChainEnd {
  readonly previous: string;
  readonly computed: string;
}

/** Null for what is no line of the chain. */
function readLine(text: string): ReadLine | null {
  return text.trimStart().startsWith('{') ? readJson(text) : readText(text);
}

const TEXT =
  /^(?<body>.* seq=(?<seq>\d+) previous=(?<previous>[0-9a-f]{64})) digest=(?<digest>[0-9a-f]{64})$/u;

function readText(text: string): ReadLine | null {
  const found = TEXT.exec(text)?.groups;
  if (found === undefined) return null;
  const { body = '', seq, previous = '', digest = '' } = found;
  return { seq: Number(seq), previous, digest, computed: digestOfLine(body) };
}

function readJson(text: string): ReadLine | null {
  try {
    const { digest, ...event } = withoutLogFields(JSON.parse(text));
    const { seq, previous } = event;
    if (typeof seq !== 'number' || typeof previous !== 'string' || typeof digest !== 'string') return null;
    return { seq, previous, digest, computed: digestOfLine(JSON.stringify(event)) };
  } catch {
    return null;
  }
}

/** In the gateway's own log a line has what every line of it has. */
function withoutLogFields(line: Record<string, unknown>): Record<string, unknown> {
  if (line.msg !== 'audit') return line;
  const { level: _level, time: _time, logger: _logger, msg: _msg, ...event } = line;
  return event;
}

/** Lowercase hex SHA-256 of a line as it stands, without its own digest at the end. */
export function digestOfLine(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
