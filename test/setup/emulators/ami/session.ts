import { createHash, randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import type { AmiEvent } from './call-events.ts';

/** An action as it was read. */
export interface ReadAction {
  readonly name: string;
  readonly id: string;
  get(name: string): string;
  all(name: string): string[];
}

interface ListOptions {
  readonly name: string;
  readonly message: string;
  readonly begin?: string;
  readonly counts?: readonly string[];
}

/** One signed-in connection of the manager interface, or one on its way there. */
export class AmiSession {
  readonly #socket: Socket;
  #rest = '';
  #challenge = '';
  isSignedIn = false;

  constructor(
    socket: Socket,
    account: { user: string; password: string },
    handleAction: (session: AmiSession, action: ReadAction) => void,
  ) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.write('Asterisk Call Manager/5.0.4\r\n');
    socket.on('data', (chunk) => {
      this.#rest += chunk.toString('utf8');
      for (let end = this.#rest.indexOf('\r\n\r\n'); end !== -1; end = this.#rest.indexOf('\r\n\r\n')) {
        const action = readAction(this.#rest.slice(0, end));
        this.#rest = this.#rest.slice(end + 4);
        if (!this.#signIn(action, account)) handleAction(this, action);
      }
    });
  }

  send(...lines: (string | null)[]): void {
    if (this.#socket.writable)
      this.#socket.write(`${lines.filter((line) => line !== null).join('\r\n')}\r\n\r\n`);
  }

  /** `Response: Success`, or another word. */
  answer(action: ReadAction, message: string, response = 'Success'): void {
    this.send(`Response: ${response}`, `ActionID: ${action.id}`, `Message: ${message}`);
  }

  /** A list as the engine sends one: its announcement, its entries and its end, which says how many they were. */
  list(
    action: ReadAction,
    entries: readonly AmiEvent[],
    { name, message, begin = 'start', counts = ['ListItems'] }: ListOptions,
  ): void {
    this.send('Response: Success', `ActionID: ${action.id}`, `EventList: ${begin}`, `Message: ${message}`);
    for (const [event = '', ...lines] of entries) this.send(`Event: ${event}`, ...lines);
    this.send(
      `Event: ${name}Complete`,
      `ActionID: ${action.id}`,
      'EventList: Complete',
      ...counts.map((count) => `${count}: ${entries.length}`),
    );
  }

  /** Bytes as they are. */
  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  cut(): void {
    this.#socket.destroy();
  }

  /** True for what belongs to signing in, which is carried out here. */
  #signIn(action: ReadAction, account: { user: string; password: string }): boolean {
    if (action.name === 'challenge') {
      this.#challenge = String(randomInt(100_000_000, 999_999_999));
      this.send('Response: Success', `ActionID: ${action.id}`, `Challenge: ${this.#challenge}`);
      return true;
    }
    if (action.name !== 'login') return false;
    const key = createHash('md5').update(`${this.#challenge}${account.password}`).digest('hex');
    this.isSignedIn = action.get('Username') === account.user && action.get('Key') === key;
    if (this.isSignedIn) this.answer(action, 'Authentication accepted');
    else this.answer(action, 'Authentication failed', 'Error');
    return true;
  }
}

function readAction(text: string): ReadAction {
  const fields = text.split('\r\n').map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trimStart()] as const;
  });
  const all = (name: string) =>
    fields.filter(([field]) => field === name.toLowerCase()).map(([, value]) => value);
  const get = (name: string) => all(name)[0] ?? '';
  return { name: get('Action').toLowerCase(), id: get('ActionID'), get, all };
}
