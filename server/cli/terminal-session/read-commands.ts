import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { RELEASE } from '../../config/release.ts';
import { locate } from '../completion/complete.ts';
import { wordsOf } from '../completion/split-line.ts';
import { connect } from '../connection.ts';
import { runCommandLine } from '../run.ts';
import { oneLine } from '../terminal.ts';
import { completeLine } from './complete-line.ts';
import type { SessionInput } from './session-input.ts';
import type { SessionOutput } from './session-output.ts';
import { createTerminalProgram, refusalOf } from './terminal-program.ts';

interface Streams {
  readonly input: SessionInput;
  readonly output: SessionOutput;
}

const PROMPT = 'faxdesk> ';
const HISTORY = 500;
const CLEAR = '\u001B[2J\u001B[3J\u001B[H';
const ENDS = ['exit', 'quit'];
const HINT = 'Tab completes, help lists the commands, exit closes the terminal.';
/** Time for which an interrupted command may still end by itself, in ms. */
const INTERRUPTED_MS = 1_000;

/** Reads and runs one command after another, until the person types `exit` or Ctrl-D. */
export async function readCommands({ input, output }: Streams): Promise<void> {
  output.write(`Faxdesk ${RELEASE}${await callerWords()}. ${HINT}\n`);
  const reader = createInterface({
    input: input.lines,
    output,
    terminal: true,
    prompt: PROMPT,
    historySize: HISTORY,
    removeHistoryDuplicates: true,
    completer: completeLine,
  });
  reader.on('SIGINT', () => dropLine(reader, output));
  const ended = Promise.withResolvers<void>();
  reader.once('close', ended.resolve);
  const requests = createRequests();
  // Several lines can come at once, by pasting.
  const lines: string[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    for (let line = lines.shift(); line !== undefined; line = lines.shift())
      if (!(await runLine(line, { input, output, requests }))) return reader.close();
    isRunning = false;
    reader.prompt();
  }

  reader.on('line', (line) => {
    lines.push(line);
    if (!isRunning) void runAll();
  });
  reader.prompt();
  await ended.promise;
}

/** Returns `, signed in as Mara`; empty when the gateway does not answer. */
async function callerWords(): Promise<string> {
  try {
    const { principal } = await (await connect({})).access.me();
    return `, signed in as ${oneLine(principal.display_name)}`;
  } catch {
    return '';
  }
}

/** Begins a new line, as a shell does for Ctrl-C. */
function dropLine(reader: Interface, output: SessionOutput): void {
  output.write('^C\r\n');
  reader.write(null, { ctrl: true, name: 'e' });
  reader.write(null, { ctrl: true, name: 'u' });
  reader.prompt();
}

interface Requests {
  /** Ends the requests that wait for an answer; those of the next command are made again. */
  abort(): void;
}

/** Lets every request of this process be ended. */
function createRequests(): Requests {
  const fetchOfNode = globalThis.fetch;
  let ending = new AbortController();
  globalThis.fetch = (address, init) => {
    const { signal } = ending;
    return fetchOfNode(address, {
      ...init,
      signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal,
    });
  };
  return {
    abort() {
      ending.abort();
      ending = new AbortController();
    },
  };
}

type Running = Streams & { readonly requests: Requests };

/** Runs a line; false when it ends the terminal. */
async function runLine(line: string, running: Running): Promise<boolean> {
  const words = readWords(line, running.output);
  if (words === null || words.length === 0) return true;
  const [first = ''] = words;
  if (ENDS.includes(first)) return false;
  if (first === 'clear') running.output.write(CLEAR);
  else await runCommand(words, running);
  return true;
}

/** Returns the words of a line without the name of the program; null, after a sentence, where a quote is open. */
function readWords(line: string, output: SessionOutput): readonly string[] | null {
  try {
    const words = wordsOf(line);
    return words[0] === 'faxdesk' ? words.slice(1) : words;
  } catch (error) {
    output.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

async function runCommand(words: readonly string[], { input, output, requests }: Running): Promise<void> {
  const program = createTerminalProgram();
  // Before its words are checked: nobody should correct a command that does not run here.
  const refusal = refusalOf(locate(program, words).command);
  if (refusal !== null) return void output.write(`${refusal}\n`);
  const interrupted = Promise.withResolvers<void>();
  input.begin(() => {
    output.write('^C\r\n');
    // Commands that follow something listen for it and end by themselves.
    if (process.emit('SIGINT', 'SIGINT')) return;
    output.mute();
    input.stopReading();
    requests.abort();
    interrupted.resolve();
  });
  const running = runCommandLine(words, program);
  await Promise.race([running, interrupted.promise]);
  await Promise.race([running, pause(INTERRUPTED_MS, undefined, { ref: false })]);
  input.finish();
  await new Promise<void>((resolve) => void output.write('', () => resolve()));
  output.isMuted = false;
}
