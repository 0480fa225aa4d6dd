import { Writable } from 'node:stream';
import { MAX_OUTPUT_AHEAD } from '../../features/terminal/terminal-process-port.ts';

/** Largest part of output in one message, in UTF-16 units. */
const PART = 16_384;

/** Creates the output of a terminal, which waits while too much of it has not been passed on. */
export function createSessionOutput(send: (text: string) => void): SessionOutput {
  return new SessionOutput(send);
}

export type { SessionOutput };

class SessionOutput extends Writable {
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  /** True while what is written is dropped, as after Ctrl-C. */
  isMuted = false;
  readonly #send: (text: string) => void;
  #rest = '';
  #ahead = 0;
  #written: (() => void) | null = null;

  constructor(send: (text: string) => void) {
    super({ decodeStrings: false });
    this.#send = send;
  }

  resize({ columns, rows }: { columns: number; rows: number }): void {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }

  /** Counts output that has been passed on. */
  taken(length: number): void {
    this.#ahead = Math.max(0, this.#ahead - length);
    this.#pump();
  }

  /** Drops the output that was not sent yet, and that which is written until `isMuted` is false again. */
  mute(): void {
    this.isMuted = true;
    this.#rest = '';
    this.#pump();
  }

  override _write(text: string | Uint8Array, _encoding: BufferEncoding, written: () => void): void {
    this.#rest = this.isMuted ? '' : String(text);
    this.#written = written;
    this.#pump();
  }

  #pump(): void {
    while (this.#rest !== '' && this.#ahead < MAX_OUTPUT_AHEAD) {
      const part = this.#rest.slice(0, wholeCharacters(this.#rest, PART));
      this.#rest = this.#rest.slice(part.length);
      this.#ahead += part.length;
      this.#send(part);
    }
    if (this.#rest !== '') return;
    const written = this.#written;
    this.#written = null;
    written?.();
  }
}

/** Returns a length of at most `most` that does not cut a character of two units. */
function wholeCharacters(text: string, most: number): number {
  const isCut = text.length > most && /[\uD800-\uDBFF]/u.test(text.charAt(most - 1));
  return isCut ? most - 1 : most;
}
