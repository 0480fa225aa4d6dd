import { startTerminalChild } from '../../server/adapters/terminal/start-process.ts';
import type { StartTerminalProcess } from '../../server/features/terminal/terminal-process-port.ts';
import { eventually } from '../setup/eventually.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { EventReader } from './console-stream.ts';

/** Counts the processes of terminals, which are the real ones. */
export function countProcesses(): { readonly running: number; readonly start: StartTerminalProcess } {
  let running = 0;
  return {
    get running() {
      return running;
    },
    start: async () => {
      const process = await startTerminalChild();
      running += 1;
      process.onEnd(() => (running -= 1));
      return process;
    },
  };
}

/** Gateway of a terminal, which may be that of the desktop application. */
type TerminalGateway = Pick<TestGateway, 'request' | 'url'>;

/** A person in a browser. */
export class Browser {
  readonly gateway: TerminalGateway;
  readonly #headers: Record<string, string>;
  #number = 0;

  private constructor(gateway: TerminalGateway, headers: Record<string, string>) {
    this.gateway = gateway;
    this.#headers = headers;
  }

  static async signIn(gateway: TerminalGateway, login: string, password: string): Promise<Browser> {
    const origin = { Origin: gateway.url };
    const entry = await gateway.request('POST', '/auth/login', {
      key: null,
      headers: origin,
      json: { login, password },
    });
    if (!entry.ok) throw new Error(`${entry.status} ${await entry.text()}`);
    const cookie = { Cookie: entry.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    const me = await gateway.request('GET', '/auth/me', { key: null, headers: cookie });
    const { csrf_token } = (await me.json()) as { csrf_token: string };
    return new Browser(gateway, { ...origin, ...cookie, 'X-CSRF-Token': csrf_token });
  }

  request(method: string, path: string, json?: unknown): Promise<Response> {
    return this.gateway.request(method, path, { key: null, headers: this.#headers, json });
  }

  /** Opens a terminal and reads its output. */
  async open(): Promise<OpenTerminal> {
    const answer = await this.request('POST', '/console/terminals', { columns: 80, rows: 24 });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
    const { id } = (await answer.json()) as { id: string };
    return new OpenTerminal(this, id, await this.read(id));
  }

  async read(id: string, after = 0): Promise<EventReader> {
    return new EventReader(await this.request('GET', `/console/terminals/${id}/output?after=${after}`));
  }

  async type(id: string, text: string): Promise<Response> {
    this.#number += 1;
    return await this.request('POST', `/console/terminals/${id}/input`, { number: this.#number, text });
  }
}

// Control sequences, as a terminal reads them.
const CONTROLS = /\u001B\[[\d;?]*[A-Za-z]/gu;
const PROMPT = 'faxdesk> ';

export class OpenTerminal {
  readonly id: string;
  readonly browser: Browser;
  reader: EventReader;

  constructor(browser: Browser, id: string, reader: EventReader) {
    this.browser = browser;
    this.id = id;
    this.reader = reader;
  }

  get text(): string {
    const parts = this.reader.all.filter(({ kind }) => kind === 'message');
    return parts
      .map(({ data }) => (data as { text: string }).text)
      .join('')
      .replaceAll(CONTROLS, '');
  }

  /** Reason of the end; null while it is open. */
  get end(): string | null {
    const end = this.reader.events.find(({ kind }) => kind === 'end');
    return end ? (end.data as { reason: string }).reason : null;
  }

  /** Waits until commands are read. */
  async prompt(): Promise<void> {
    await eventually(() => {
      if (!this.text.endsWith(PROMPT)) throw new Error(`no prompt yet: ${this.text} ${this.end ?? ''}`);
    });
  }

  /** Types a command, and returns what it printed once it has ended. */
  async run(command: string): Promise<string> {
    await this.prompt();
    const before = this.text.length;
    await this.browser.type(this.id, `${command}\r`);
    await eventually(() => {
      if (!this.text.slice(before).includes('\n')) throw new Error('not begun');
    });
    await this.prompt();
    const [, ...lines] = this.text.slice(before).split('\n');
    return lines
      .join('\n')
      .replace(new RegExp(`${PROMPT}$`, 'u'), '')
      .trim();
  }

  async close(): Promise<void> {
    await this.browser.request('DELETE', `/console/terminals/${this.id}`);
    await this.reader.close();
  }
}
