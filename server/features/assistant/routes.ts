import { Readable } from 'node:stream';
import type { Request } from 'express';
import {
  assistantEventRoutes,
  assistantProtocolRoutes,
  assistantRoutes,
} from '../../../shared/api/assistant.ts';
import { ERROR_CODE_HEADER, type ErrorCode } from '../../../shared/errors/all.ts';
import type { Caller } from '../../http/caller.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { readJsonBody } from '../../http/json-body.ts';
import { pipeToResponse } from '../../http/pipe-to-response.ts';
import { OpenReply, Reply } from '../../http/reply.ts';
import { RefusalError } from '../../platform/errors.ts';
import type { AssistantHttp, AssistantService } from './service.ts';

type AssistantCaller = Parameters<AssistantHttp['message']>[2];
type HttpOutcome = Awaited<ReturnType<AssistantHttp['message']>>;

const SESSION_HEADER = 'Mcp-Session-Id';
const EVENTS = 'text/event-stream';
/** Comment that keeps a quiet stream from being taken for a dead one. */
const PING = ': ping\n\n';
const PING_MS = 15_000;

/** Codes of the refusals of the protocol itself, by status. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'protocol_refused',
  404: 'no_such_assistant_session',
  405: 'method_not_allowed',
  406: 'media_type_refused',
  409: 'session_listened',
  413: 'too_large',
  415: 'json_expected',
};

export function assistantServedRoutes(service: AssistantService): ServedRoute[] {
  const { rules } = assistantRoutes;
  const { message, listen, end } = assistantProtocolRoutes;
  return [
    serve(rules, async ({ caller }) => ({
      ...service.rules(),
      may_send: caller.holdsAnywhere('fax:send'),
    })),
    serve(message, async ({ caller, request }) => {
      const known = callerOf(caller, request);
      const protocol = await service.protocol();
      const body = await readJsonBody(request, service.mostMessageBytes());
      if (body === undefined) throw new RefusalError('json_expected');
      return (await replyOf(await protocol.message(webRequest(request), body, known))) as never;
    }),
    serve(listen, async ({ caller, request }) => {
      return (await ofSession(service, caller, request)) as never;
    }),
    serve(end, async ({ caller, request }) => {
      return (await ofSession(service, caller, request)) as never;
    }),
    ...eventRoutes(service),
  ];
}

/** Without a session there is nothing to listen to: clients of 2026-07-28 have none. */
async function ofSession(service: AssistantService, caller: Caller, request: Request) {
  const known = callerOf(caller, request);
  const protocol = await service.protocol();
  if (request.get(SESSION_HEADER) === undefined) throw new RefusalError('method_not_allowed');
  return await replyOf(await protocol.ofSession(webRequest(request), known));
}

function eventRoutes(service: AssistantService): ServedRoute[] {
  const { open, message } = assistantEventRoutes;
  return [
    serve(open, async ({ caller, request }) => {
      const known = callerOf(caller, request);
      const protocol = await service.protocol();
      const pieces: string[] = [];
      let write = (piece: string): void => void pieces.push(piece);
      let finish = () => undefined;
      const session = await protocol.openEvents(known, {
        path: message.path,
        write: (piece) => write(piece),
        end: () => finish(),
      });
      if (session === null) throw new RefusalError('too_many_assistant_sessions');
      return new OpenReply({
        contentType: EVENTS,
        open(response) {
          const timer = setInterval(() => response.write(PING), PING_MS);
          write = (piece) => void response.write(piece);
          finish = () => void response.end();
          response.once('close', () => {
            clearInterval(timer);
            session.close();
          });
          for (const piece of pieces) response.write(piece);
        },
      });
    }),
    serve(message, async ({ caller, query, request }) => {
      const known = callerOf(caller, request);
      const protocol = await service.protocol();
      const body = await readJsonBody(request, service.mostMessageBytes());
      const outcome = protocol.eventMessage(query.sessionId, body, known);
      if (outcome === 'no session') throw new RefusalError('no_such_assistant_session');
      if (outcome === 'no message')
        throw new RefusalError('protocol_refused', { sentence: 'The body is not a JSON-RPC message.' });
      return new Reply('Accepted', { headers: { 'Content-Type': 'text/plain' } }) as never;
    }),
  ];
}

/** Returns the caller with their key. Throws a refusal for anybody without one, such as the session of a browser. */
function callerOf({ credential }: Caller, request: Request): AssistantCaller {
  const apiKey = presentedKey(request);
  if (apiKey === null || credential.kind === 'session' || credential.kind === 'none')
    throw new RefusalError('key_needed');
  return { owner: credential.id, apiKey, address: request.ip ?? '' };
}

function presentedKey({ headers }: Request): string | null {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return /^bearer +(\S+) *$/iu.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** The request without its body, which was read. It is aborted when its client is gone. */
function webRequest(request: Request): globalThis.Request {
  const gone = new AbortController();
  request.res?.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return new globalThis.Request(`http://${request.headers.host ?? 'localhost'}${request.originalUrl}`, {
    method: request.method,
    headers,
    signal: gone.signal,
  });
}

async function replyOf(outcome: HttpOutcome): Promise<Reply<unknown> | OpenReply> {
  if ('refused' in outcome) throw new RefusalError(outcome.refused);
  const { response } = outcome;
  const headers = headersOf(response);
  if (response.body !== null && response.headers.get('content-type')?.startsWith(EVENTS)) {
    const { body } = response;
    const open: OpenReply['open'] = (to) => {
      // The request, its connection and the stream listen for the end, each once.
      to.setMaxListeners(20);
      pipeToResponse(Readable.fromWeb(body as never), to).catch(() => undefined);
    };
    return new OpenReply({ contentType: EVENTS, headers, open });
  }
  const text = await response.text();
  return new Reply(text === '' ? undefined : JSON.parse(text), { status: response.status, headers });
}

function headersOf({ headers, status }: Response): Record<string, string> {
  const kept = [SESSION_HEADER, 'Allow'].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const code = CODES[status];
  return { ...Object.fromEntries(kept), ...(code === undefined ? {} : { [ERROR_CODE_HEADER]: code }) };
}
