import { TerminalEnded, terminalRoutes } from '../../../shared/api/terminal.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { TerminalEnd } from '../../../shared/states/terminal.ts';
import { origin } from '../../api/client.ts';
import { openedAddress } from '../../api/page-token.ts';
import { UnreachableError } from '../../api/sentence.ts';

/** Size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

interface SessionListener {
  output(text: string): void;
  /** Called once. Null when the gateway no longer has the terminal and no reason came. */
  ended(reason: TerminalEnd | null): void;
}

// Keys are no acts: each is sent once, in order, under its number.
const { terminals } = createRooms(
  { terminals: terminalRoutes },
  { ...origin, fetch: (input, init) => fetch(input, init) },
);

const RETRY_MS = 500;

/** Opens a terminal of the gateway. Throws when it is refused. */
export async function openTerminalSession(
  size: TerminalSize,
  listener: SessionListener,
): Promise<TerminalSession> {
  const { id } = await terminals.open({ body: size });
  return new TerminalSession(id, listener);
}

export type { TerminalSession };

class TerminalSession {
  readonly #id: string;
  readonly #listener: SessionListener;
  readonly #source: EventSource;
  #typed = '';
  #number = 0;
  #isSending = false;
  #isEnded = false;

  constructor(id: string, listener: SessionListener) {
    this.#id = id;
    this.#listener = listener;
    this.#source = new EventSource(openedAddress(`/console/terminals/${id}/output`));
    this.#source.addEventListener('message', ({ data }) =>
      listener.output((JSON.parse(data as string) as { text: string }).text),
    );
    this.#source.addEventListener('end', ({ data }) =>
      this.#end(TerminalEnded.parse(JSON.parse(data as string)).reason),
    );
    // The browser connects again by itself, unless it was refused.
    this.#source.addEventListener('error', () => {
      if (this.#source.readyState === EventSource.CLOSED) this.#end(null);
    });
    window.addEventListener('pagehide', this.#leave);
  }

  /** Sends typed text; what is typed while a request is under way goes with the next. */
  type(text: string): void {
    this.#typed += text;
    if (!this.#isSending) void this.#send();
  }

  resize(size: TerminalSize): void {
    if (this.#isEnded) return;
    // A later size follows; a terminal that has ended reports that itself.
    terminals.resize({ params: { terminal_id: this.#id }, body: size }).catch(() => undefined);
  }

  /** Closes the terminal, without a word to the listener. */
  close(): void {
    if (this.#isEnded) return;
    this.#stop();
    // The gateway closes a terminal that nobody reads, also where this gets no answer.
    terminals.close({ params: { terminal_id: this.#id } }).catch(() => undefined);
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#typed !== '' && !this.#isEnded) {
      const text = this.#typed.slice(0, LIMITS.terminalInputLength);
      this.#typed = this.#typed.slice(text.length);
      this.#number += 1;
      await this.#sendPart({ number: this.#number, text });
    }
    this.#isSending = false;
  }

  /** Repeats a part that got no answer: the gateway ignores a number that it has. */
  async #sendPart(body: { number: number; text: string }): Promise<void> {
    while (!this.#isEnded) {
      try {
        return void (await terminals.input({ params: { terminal_id: this.#id }, body }));
      } catch (error) {
        if (!(error instanceof UnreachableError)) return this.#end(null);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #end(reason: TerminalEnd | null): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#listener.ended(reason);
  }

  #stop(): void {
    this.#isEnded = true;
    this.#source.close();
    window.removeEventListener('pagehide', this.#leave);
  }

  readonly #leave = (): void => this.close();
}
