import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createEventTransport, type EventTransport } from './event-transport.ts';
import { type AssistantSession, createSessions, newSessionId } from './sessions.ts';

/** Caller of a request, who was authenticated. */
interface AssistantCaller {
  /** Id of the key, which owns its sessions. */
  readonly owner: string;
  /** The key itself, for the requests of the tools. */
  readonly apiKey: string;
  /** Address that the request came from. */
  readonly address: string;
}

/** Result of a request: an answer of the protocol, or a reason why there is none. */
type HttpOutcome =
  | { readonly response: Response }
  | { readonly refused: 'no_such_assistant_session' | 'too_many_assistant_sessions' };

interface HttpSession extends AssistantSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
}
interface EventSession extends AssistantSession {
  readonly transport: EventTransport;
}

interface HttpParts {
  /** Creates the server of a request or session. */
  serverFor(caller: AssistantCaller): McpServer;
  /** Called with the name of an error outside of any answer; its message may quote a document. */
  onError(name: string): void;
  /** Returns a time in ms that is never set back. */
  readonly uptime: () => number;
}

const SESSION_HEADER = 'Mcp-Session-Id';

/** Serves the protocol over HTTP: revision 2026-07-28 by single requests, older clients by sessions. */
export function createAssistantHttp(parts: HttpParts): AssistantHttp {
  return new AssistantHttp(parts);
}

export type { AssistantHttp };

class AssistantHttp {
  readonly #parts: HttpParts;
  readonly #sessions;
  readonly #eventSessions;

  constructor(parts: HttpParts) {
    this.#parts = parts;
    this.#sessions = createSessions<HttpSession>(parts.uptime);
    this.#eventSessions = createSessions<EventSession>(parts.uptime);
  }

  /** Answers a message whose body was parsed. */
  async message(request: Request, body: unknown, caller: AssistantCaller): Promise<HttpOutcome> {
    const id = request.headers.get(SESSION_HEADER);
    if (id !== null) return await this.#inSession(id, request, caller, body);
    if (!(await isLegacyRequest(request, body)))
      return { response: await this.#modern(request, body, caller) };
    if (isInitializeRequest(body)) return await this.#begin(request, body, caller);
    const answer = legacyStatelessFallback(() => this.#parts.serverFor(caller), this.#onError);
    return { response: await answer(request, { parsedBody: body }) };
  }

  /** Opens the stream of a session, or ends it. The request names one. */
  async ofSession(request: Request, caller: AssistantCaller): Promise<HttpOutcome> {
    const id = request.headers.get(SESSION_HEADER) ?? '';
    const outcome = await this.#inSession(id, request, caller);
    if (request.method === 'DELETE' && 'response' in outcome && outcome.response.ok) this.#sessions.end(id);
    return outcome;
  }

  /** Opens a session over server-sent events; null when there are too many. `write` sends a piece of the stream. */
  async openEvents(
    caller: AssistantCaller,
    stream: { readonly path: string; readonly write: (piece: string) => void; readonly end: () => void },
  ): Promise<{ readonly close: () => void } | null> {
    if (!this.#eventSessions.mayOpen(caller.owner)) return null;
    const id = newSessionId();
    const transport = createEventTransport({ ...stream, path: `${stream.path}?sessionId=${id}` });
    const server = this.#parts.serverFor(caller);
    this.#eventSessions.add(id, { owner: caller.owner, transport, close: () => server.close() });
    const use = this.#eventSessions.use(id, caller.owner);
    await server.connect(transport);
    return {
      close: () => {
        use?.done();
        this.#eventSessions.end(id);
      },
    };
  }

  /** Passes a message to a session over server-sent events. Returns false when there is none. */
  eventMessage(id: string, body: unknown, caller: AssistantCaller): 'accepted' | 'no session' | 'no message' {
    const use = this.#eventSessions.use(id, caller.owner);
    if (use === null) return 'no session';
    use.done();
    return use.session.transport.receive(body) ? 'accepted' : 'no message';
  }

  /** Ends every session, so that their streams end. */
  close(): void {
    this.#sessions.endAll();
    this.#eventSessions.endAll();
  }

  readonly #onError = ({ name }: Error) => this.#parts.onError(name);

  async #modern(request: Request, body: unknown, caller: AssistantCaller): Promise<Response> {
    const handler = createMcpHandler(() => this.#parts.serverFor(caller), {
      legacy: 'reject',
      onerror: this.#onError,
    });
    return await handler.fetch(request, { parsedBody: body });
  }

  async #begin(request: Request, body: unknown, caller: AssistantCaller): Promise<HttpOutcome> {
    if (!this.#sessions.mayOpen(caller.owner)) return { refused: 'too_many_assistant_sessions' };
    const server = this.#parts.serverFor(caller);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newSessionId,
      onsessioninitialized: (id) => {
        this.#sessions.add(id, { owner: caller.owner, transport, close: () => server.close() });
      },
    });
    Object.assign(transport, { onerror: this.#onError });
    await server.connect(transport);
    return { response: await transport.handleRequest(request, { parsedBody: body }) };
  }

  async #inSession(
    id: string,
    request: Request,
    caller: AssistantCaller,
    body?: unknown,
  ): Promise<HttpOutcome> {
    const use = this.#sessions.use(id, caller.owner);
    if (use === null) return { refused: 'no_such_assistant_session' };
    // A stream counts as a use until it ends.
    request.signal.addEventListener('abort', use.done);
    try {
      const options = body === undefined ? {} : { parsedBody: body };
      const response = await use.session.transport.handleRequest(request, options);
      if (response.body !== null) return { response: withEnd(response, use.done) };
      use.done();
      return { response };
    } catch (error) {
      use.done();
      throw error;
    }
  }
}

/** The same response; `onEnd` is called when its body has been read or is not wanted any more. */
function withEnd(response: Response, onEnd: () => void): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await reader?.read();
      if (next === undefined || next.done) {
        onEnd();
        controller.close();
      } else controller.enqueue(next.value);
    },
    async cancel(reason) {
      onEnd();
      await reader?.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
