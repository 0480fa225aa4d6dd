import type { TestGateway } from '../setup/gateway.ts';

interface StreamedEvent {
  readonly id: string;
  /** `message` when it has no name. */
  readonly kind: string;
  readonly data: unknown;
}

/** A reader of server-sent events that keeps everything it got. */
export class EventReader {
  readonly status: number;
  readonly headers: Headers;
  readonly all: StreamedEvent[] = [];
  readonly comments: string[] = [];
  ended = false;
  /** True when it ended without its last chunk. */
  isCut = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #lastId = '';

  constructor(response: Response) {
    this.status = response.status;
    this.headers = response.headers;
    this.#reader = response.body?.getReader();
    void this.#read();
  }

  /** Events with a name. */
  get events(): StreamedEvent[] {
    return this.all.filter(({ kind }) => kind !== 'message');
  }

  /** The id to resume from. */
  get position(): string {
    return this.#lastId;
  }

  async close(): Promise<void> {
    await this.#reader?.cancel();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for (;;) {
        const piece = await this.#reader?.read();
        if (!piece || piece.done) break;
        text += decoder.decode(piece.value, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block.split('\n'));
      }
    } catch {
      // The same end for who reads.
      this.isCut = true;
    }
    this.ended = true;
  }

  #take(lines: string[]): void {
    const valueOf = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    this.#lastId = valueOf('id') ?? this.#lastId;
    this.comments.push(...lines.filter((line) => line.startsWith(':')));
    const data = valueOf('data');
    if (data !== undefined)
      this.all.push({ id: this.#lastId, kind: valueOf('event') ?? 'message', data: JSON.parse(data) });
  }
}

/** Opens a stream; `key` null sends none. */
export async function listen(
  gateway: TestGateway,
  options: {
    key?: string | null;
    after?: string;
    lastEventId?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<EventReader> {
  const { key, after, lastEventId } = options;
  const path = after === undefined ? '/console/events' : `/console/events?after=${after}`;
  const headers = {
    ...options.headers,
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
  };
  return new EventReader(await gateway.request('GET', path, { key, headers }));
}

/** A database key with these permissions. */
export async function keyWith(gateway: TestGateway, ...scopes: string[]): Promise<string> {
  const answer = await gateway.request('POST', '/admin/api-keys', { json: { scopes } });
  return ((await answer.json()) as { token: string }).token;
}

/** The cookie and CSRF token of a browser session that began with a key. */
export async function sessionWith(gateway: TestGateway, api_key: string): Promise<Record<string, string>> {
  const origin = { Origin: gateway.url };
  const answer = await gateway.request('POST', '/auth/key-login', {
    key: null,
    json: { api_key },
    headers: origin,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return sessionOf(gateway, answer);
}

/** Returns the headers that a browser sends after it signed in. */
export async function sessionOf(gateway: TestGateway, signedIn: Response): Promise<Record<string, string>> {
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const me = await gateway.request('GET', '/auth/me', { key: null, headers: { Cookie: cookie } });
  const { csrf_token } = (await me.json()) as { csrf_token: string };
  return { Origin: gateway.url, Cookie: cookie, 'X-CSRF-Token': csrf_token };
}
