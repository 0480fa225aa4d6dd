import { AmiError } from './error.ts';

/** An action: `Action` first; names may come again, such as `Variable`. */
export type AmiAction = readonly (readonly [name: string, value: string])[];

/** The engine drops longer lines, with their end. */
const MAX_LINE_BYTES = 1_022;

/** Message of the engine, delimited by empty lines. */
export interface AmiMessage {
  /** The first value of a name, whatever its case; null without one. */
  get(name: string): string | null;
  /** Every value of a name. */
  all(name: string): readonly string[];
}

/** Line ends are taken out of every value, so that none begins another line. Throws AmiError `unsendable`. */
export function formatAction(action: AmiAction): string {
  const lines = action.map(([name, value]) => {
    // oxlint-disable-next-line no-control-regex -- a zero byte would end the line for the engine
    const line = `${name}: ${value.replaceAll(/[\r\n\u0000]/gu, '')}`;
    if (Buffer.byteLength(line) > MAX_LINE_BYTES)
      throw new AmiError('unsendable', `the line ${name} of an action is too long`, { wrote: false });
    return line;
  });
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * A variable of a new channel, as a value of `Variable`: what the engine takes for an end of it, or for brackets, stands
 * behind a backslash.
 */
export function formatVariable(name: string, value: string): string {
  return `${name}=${value.replaceAll(/[\\",()[\]]/gu, '\\$&')}`;
}

/** A line without a colon is a name without a value. */
export function readMessage(lines: readonly string[]): AmiMessage {
  const fields = lines.map((line) => {
    const at = line.indexOf(':');
    return at === -1
      ? { name: line.toLowerCase(), value: '' }
      : { name: line.slice(0, at).trim().toLowerCase(), value: line.slice(at + 1).trimStart() };
  });
  const all = (name: string) =>
    fields.filter((field) => field.name === name.toLowerCase()).map(({ value }) => value);
  return { all, get: (name) => fields.find((field) => field.name === name.toLowerCase())?.value ?? null };
}
