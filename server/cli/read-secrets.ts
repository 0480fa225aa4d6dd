import { text } from 'node:stream/consumers';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** The input that secrets are typed or piped into. */
interface SecretInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
}

interface SecretTerminal {
  readonly input: SecretInput;
  /** Prompts go here: standard output is the answer's. */
  readonly prompts: { write(text: string): unknown };
}

/** Looked up at each use: the streams of a console terminal change with its commands. */
const standardTerminal = (): SecretTerminal => ({ input: process.stdin, prompts: process.stderr });

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ENTERS: readonly string[] = ['\r', '\n'];
const DELETES: readonly string[] = ['\u007F', '\b'];

/**
 * Reads a secret for each name, in their order. On a terminal it prompts for each and hides the input; else it reads
 * standard input once: all of it for one name, a line each for several. Throws CommandFailure when one is missing.
 */
export async function readSecrets(
  names: readonly string[],
  terminal: SecretTerminal = standardTerminal(),
): Promise<string[]> {
  const given = isTerminal(terminal.input)
    ? await promptLines(terminal, names)
    : linesOf(await text(terminal.input), names.length === 1);
  if (given.length === names.length && (names.length === 1 || !given.includes(''))) return given;
  throw new CommandFailure(`Give ${names.join(', ')} on standard input, one per line.`, EXIT.usage);
}

/** Reads all of standard input; on a terminal lines that are not shown while they are typed, until an empty one or Ctrl D. */
export async function readSecretText(
  prompt: string,
  terminal: SecretTerminal = standardTerminal(),
): Promise<string> {
  return isTerminal(terminal.input)
    ? (await promptLines(terminal, [prompt], true)).join('\n')
    : await text(terminal.input);
}

function linesOf(given: string, isOne: boolean): string[] {
  const whole = given.trim();
  return isOne ? [whole] : whole.split('\n').map((line) => line.trim());
}

function isTerminal({ isTTY, setRawMode }: SecretInput): boolean {
  return isTTY === true && setRawMode !== undefined;
}

/** A line for each prompt; with `isOpen` lines until there is an empty one. The terminal shows nothing of them. */
async function promptLines(
  { input, prompts }: SecretTerminal,
  names: readonly string[],
  isOpen = false,
): Promise<string[]> {
  const lines: string[] = [];
  let line: string[] = [];
  const writePrompt = () => prompts.write(`${names[lines.length] ?? names.at(-1)}: `);
  const isDone = () => (isOpen ? lines.at(-1) === '' : lines.length === names.length);
  input.setEncoding('utf8');
  input.setRawMode?.(true);
  try {
    writePrompt();
    for await (const chunk of input)
      for (const character of String(chunk)) {
        if (character === CTRL_C) throw new CommandFailure('Nothing was changed.', EXIT.interrupted);
        if (ENTERS.includes(character) || character === CTRL_D) {
          prompts.write('\n');
          lines.push(line.join('').trim());
          line = [];
          if (character === CTRL_D || isDone()) return lines;
          writePrompt();
        } else if (DELETES.includes(character)) line.pop();
        else if (character >= ' ') line.push(character);
      }
    return lines;
  } finally {
    input.setRawMode?.(false);
  }
}
