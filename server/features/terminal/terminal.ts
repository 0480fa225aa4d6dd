import type { ServerResponse } from 'node:http';
import type { TerminalEnd } from '../../../shared/states/terminal.ts';
import type { Clock } from '../../platform/clock.ts';
import { createOutputLog, type OutputLog } from './output-log.ts';
import type { FromTerminal, TerminalProcess } from './terminal-process-port.ts';

interface TerminalParts {
  readonly id: string;
  readonly process: TerminalProcess;
  readonly clock: Clock;
  /** Called once, when the process ends by itself. */
  readonly onEnded: (reason: TerminalEnd) => void;
}

const PING = ': ping\n\n';

/** Creates an open terminal: its process, the page that reads its output, and the times by which it ends. */
export function createTerminal(parts: TerminalParts): Terminal {
  return new Terminal(parts);
}

export type { Terminal };

class Terminal {
  readonly id: string;
  readonly #process: TerminalProcess;
  readonly #clock: Clock;
  readonly #log: OutputLog = createOutputLog();
  #response: ServerResponse | null = null;
  #isBlocked = false;
  /** Number of the last part that the present reader was given. */
  #sent = 0;
  /** Number of the last part that the process knows to be passed on. */
  #taken = 0;
  #lastInput = 0;
  #typedAt: number;
  /** Time since which nobody reads; null while somebody does. Epoch milliseconds. */
  #unreadSince: number | null;
  #isEnded = false;

  constructor({ id, process, clock, onEnded }: TerminalParts) {
    this.id = id;
    this.#process = process;
    this.#clock = clock;
    this.#typedAt = clock.now();
    this.#unreadSince = clock.now();
    process.onMessage((message) => this.#handleMessage(message, onEnded));
    process.onEnd(() => onEnded('failed'));
  }

  /** Time without input, in ms. */
  get idleMs(): number {
    return Math.abs(this.#clock.now() - this.#typedAt);
  }

  /** Time for which nobody has read the output, in ms. */
  get unreadMs(): number {
    return this.#unreadSince === null ? 0 : Math.abs(this.#clock.now() - this.#unreadSince);
  }

  /** Passes typed text on, unless it came before. */
  input(number: number, text: string): void {
    if (number <= this.#lastInput) return;
    this.#lastInput = number;
    this.#typedAt = this.#clock.now();
    this.#process.send({ kind: 'input', text });
  }

  resize(size: { columns: number; rows: number }): void {
    this.#process.send({ kind: 'size', ...size });
  }

  /** Writes the output after a part to a response whose head was sent, in place of an earlier one. */
  read(response: ServerResponse, after: number): void {
    if (this.#isEnded) return void response.end();
    this.#response?.end();
    this.#response = response;
    this.#isBlocked = false;
    this.#unreadSince = null;
    this.#sent = Math.min(after, this.#log.last);
    const left = () => {
      if (this.#response !== response) return;
      this.#response = null;
      this.#unreadSince = this.#clock.now();
    };
    response.on('close', left);
    response.on('error', left);
    response.write('retry: 500\n\n');
    this.#pump();
  }

  /** Sends a sign of life, unless the reader is behind. */
  ping(): void {
    if (!this.#isBlocked) this.#response?.write(PING);
  }

  /** Ends the stream with the reason, and the process. */
  async end(reason: TerminalEnd): Promise<void> {
    this.#isEnded = true;
    this.#response?.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#response = null;
    await this.#process.end();
  }

  #handleMessage(message: FromTerminal, onEnded: (reason: TerminalEnd) => void): void {
    if (this.#isEnded) return;
    switch (message.kind) {
      case 'output':
        this.#log.add(message.text);
        return this.#pump();
      case 'done':
        return onEnded('exited');
      default:
        message satisfies never;
    }
  }

  /** Writes as much as the reader accepts; only what was written lets the process go on. */
  #pump(): void {
    for (
      let part = this.#log.after(this.#sent);
      part !== null && this.#response !== null && !this.#isBlocked;
      part = this.#log.after(this.#sent)
    ) {
      const { number, text } = part;
      this.#sent = number;
      const response = this.#response;
      this.#isBlocked = !response.write(`id: ${number}\ndata: ${JSON.stringify({ text })}\n\n`);
      if (this.#isBlocked)
        response.once('drain', () => {
          if (this.#response !== response) return;
          this.#isBlocked = false;
          this.#pump();
        });
      if (number <= this.#taken) continue;
      this.#taken = number;
      this.#process.send({ kind: 'taken', length: text.length });
    }
    this.#log.trim(this.#taken);
  }
}
