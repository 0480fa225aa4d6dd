import { trimEnd } from '../../../platform/trim-end.ts';

/** Thrown for a value that the configuration of the telephone engine cannot hold. The message is one sentence for people. */
export class ConfigurationError extends Error {}

/** Control characters, among them the ends of lines. */
const CONTROL = /\p{Cc}/u;

/**
 * Returns a value for a line `name=value` of a configuration file. Throws ConfigurationError for one that would not stay in its line
 * or would be read back as another.
 */
export function lineValue(name: string, value: string): string {
  if (CONTROL.test(value))
    throw new ConfigurationError(`${name} must not contain line ends or control characters.`);
  if (value !== value.trim()) throw new ConfigurationError(`${name} must not begin or end with a space.`);
  return value.replaceAll(';', '\\;');
}

/** Encodes a value for the dialplan, where text is also searched for variables, functions and brackets. */
export function dialplanText(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** Validates a folder used in calls of the dialplan. Throws ConfigurationError for one that the calls would split. */
export function dialplanFolder(name: string, folder: string): string {
  if (/[\p{Cc}"'`,;|&$(){}[\]\\]/u.test(folder) || !folder.startsWith('/'))
    throw new ConfigurationError(`${name} must be an absolute path without quotes, commas and brackets.`);
  return trimEnd(folder, '/');
}

/** Quotes a word of a shell script. Throws ConfigurationError. */
export function shellWord(name: string, value: string): string {
  if (CONTROL.test(value))
    throw new ConfigurationError(`${name} must not contain line ends or control characters.`);
  return `'${value.replaceAll("'", "'\\''")}'`;
}
