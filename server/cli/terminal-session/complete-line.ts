import { callbackify } from 'node:util';
import { complete } from '../completion/complete.ts';
import { escaped, splitLine } from '../completion/split-line.ts';
import { createStoredValues } from '../completion/stored.ts';
import { connect } from '../connection.ts';
import { createTerminalProgram } from './terminal-program.ts';

/** Words of the terminal itself. */
const OWN = ['help', 'clear', 'exit'];

type Completed = [string[], string];

/** Completes the last word of a line as `readline` expects: the words that fit, and the text that they replace. */
export const completeLine = callbackify(completedLine);

async function completedLine(line: string): Promise<Completed> {
  const { words, openQuote, lastAt } = splitLine(line);
  const commands = words[0] === 'faxdesk' && words.length > 1 ? words.slice(1) : words;
  const typed = commands.at(-1) ?? '';
  const { items } = await complete(
    createTerminalProgram(),
    commands,
    createStoredValues(() => connect({})),
  );
  const own = commands.length === 1 ? OWN.filter((word) => word.startsWith(typed)) : [];
  const values = [...new Set([...items.map(({ value }) => value), ...own])];
  const shown = values.map((value) => escaped(value, openQuote));
  const [only = '', ...others] = shown;
  // No space follows a word that may go on, such as NAME=.
  const hits = shown.length === 0 || others.length > 0 || only.endsWith('=') ? shown : [`${only} `];
  return [hits, line.slice(lastAt)];
}
