import { PassThrough, Readable } from 'node:stream';

const CTRL_C = '\u0003';

/** Creates the input of a terminal: typed text goes to the line being edited, or to the command that runs. */
export function createSessionInput(): SessionInput {
  return new SessionInput();
}

export type { SessionInput };

/** Standard input of a command, which reads secrets as from any terminal. */
class CommandInput extends Readable {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }

  override _read(): void {
    // Text comes when it is typed.
  }
}

class SessionInput {
  /** Input of the line that is being edited. */
  readonly lines = new PassThrough({ encoding: 'utf8' });
  #command: CommandInput | null = null;
  #interrupt: () => void = () => undefined;

  /** Standard input of the command that runs; an empty one where none does. */
  get ofCommand(): Readable {
    return this.#command ?? Readable.from([]);
  }

  type(text: string): void {
    const command = this.#command;
    if (command === null) return this.#edit(text);
    // A command that reads keys gets this one as well.
    if (text.includes(CTRL_C) && !command.isRaw) return this.#interrupt();
    command.push(text);
  }

  /** From now on a command reads; `interrupt` is called for Ctrl-C. */
  begin(interrupt: () => void): void {
    this.#command = new CommandInput();
    this.#interrupt = interrupt;
  }

  /** Ends the input of the command; what it has not read is typed on the next line. */
  finish(): void {
    const command = this.#command;
    this.#command = null;
    if (command === null) return;
    const unread = command.destroyed ? null : (command.read() as Buffer | string | null);
    command.destroy();
    if (unread !== null) this.#edit(String(unread));
  }

  /** Writes one key at a time: a completion under way is waited for between two. */
  #edit(text: string): void {
    for (const key of text) this.lines.write(key);
  }

  /** Ends the input of a command that waits for it. */
  stopReading(): void {
    this.#command?.push(null);
  }
}
