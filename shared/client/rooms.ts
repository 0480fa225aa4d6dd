import type { AnswerOf, RouteDefinition } from '../api/route.ts';
import { PAGE_TOKEN_HEADER } from '../page-token.ts';
import { assertAnswered, readAnswer } from './answer.ts';
import type { AnyInput, InputOf, RoomClient } from './call.ts';
import { UnreachableError } from './errors.ts';
import { addressOf, bodyOf } from './request.ts';

export interface ClientOptions {
  /** `http://127.0.0.1:8080`; an empty text means the origin of the page. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Of a browser session; a function when it changes with sign-ins. */
  readonly csrfToken?: string | (() => string | null);
  /** Of the pages of this origin, see `page-token.ts`. */
  readonly pageToken?: () => string;
  readonly fetch?: typeof fetch;
}

type Routes = Readonly<Record<string, RouteDefinition>>;

export type Rooms<T> = { readonly [N in keyof T]: RoomClient<T[N]> } & {
  /** Calls any route, e.g. one of an older name. */
  call<const R extends RouteDefinition>(route: R, input: InputOf<R>): Promise<AnswerOf<R>>;
  /** The bytes of any route as they come, for answers too large to be held; throws as a call does. */
  stream<const R extends RouteDefinition>(route: R, input: InputOf<R>): AsyncGenerator<Uint8Array, void>;
};

/**
 * The routes of these rooms as functions, e.g. `rooms.outbound.getFax({ params: { id } })`. Calls throw ApiError when
 * refused, UnreachableError when there was no whole answer, and UnexpectedAnswerError when the answer does not fit.
 */
export function createRooms<const T extends Readonly<Record<string, Routes>>>(
  rooms: T,
  options: ClientOptions,
): Rooms<T> {
  const fixed = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
  const call = (route: RouteDefinition, input: AnyInput) => send(fixed, route, input);
  const clients = Object.entries(rooms).map(([name, routes]) => [name, roomOf(routes, call)]);
  const stream = (route: RouteDefinition, input: AnyInput) => receive(fixed, route, input);
  return { ...Object.fromEntries(clients), call, stream } as Rooms<T>;
}

type Call = (route: RouteDefinition, input: AnyInput) => Promise<unknown>;

function roomOf(routes: Routes, call: Call) {
  const calls = Object.entries(routes).map(([name, route]) => [
    name,
    (input: AnyInput = {}) => call(route, input),
  ]);
  return Object.fromEntries(calls) as Record<string, (input?: AnyInput) => Promise<unknown>>;
}

async function send(options: ClientOptions, route: RouteDefinition, input: AnyInput): Promise<unknown> {
  const { response, init } = await sendRequest(options, route, input);
  return readBody(readAnswer(route, response), init);
}

async function* receive(
  options: ClientOptions,
  route: RouteDefinition,
  input: AnyInput,
): AsyncGenerator<Uint8Array, void> {
  const { response, init } = await sendRequest(options, route, input);
  await readBody(assertAnswered(route, response), init);
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await readBody(reader.read(), init);
      if (done) return;
      yield value;
    }
  } finally {
    // A consumer that stops early needs no more of the body; after its end this does nothing.
    await reader.cancel().catch(() => undefined);
  }
}

async function sendRequest(
  options: ClientOptions,
  route: RouteDefinition,
  input: AnyInput,
): Promise<{ response: Response; init: RequestInit }> {
  const { body, headers } = bodyOf(route, input);
  const init: RequestInit = { method: route.method, redirect: 'error', body };
  init.headers = { ...headers, ...credentialsOf(options, route), ...input.headers };
  if (input.signal) init.signal = input.signal;
  return { response: await fetchResponse(options, addressOf(options.baseUrl, route, input), init), init };
}

async function fetchResponse(options: ClientOptions, address: string, init: RequestInit): Promise<Response> {
  try {
    return await (options.fetch ?? fetch)(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new UnreachableError('The gateway cannot be reached.', { cause: error });
  }
}

/** A body that breaks off fails as a TypeError of `fetch`. */
async function readBody<T>(reading: Promise<T>, init: RequestInit): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (init.signal?.aborted || !(error instanceof TypeError)) throw error;
    throw new UnreachableError('The gateway’s answer was cut off.', { cause: error });
  }
}

function credentialsOf(
  { apiKey, csrfToken, pageToken }: ClientOptions,
  route: RouteDefinition,
): Record<string, string> {
  const token = typeof csrfToken === 'function' ? csrfToken() : csrfToken;
  return {
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
    ...(pageToken ? { [PAGE_TOKEN_HEADER]: pageToken() } : {}),
    ...(token && route.method !== 'GET' ? { 'X-CSRF-Token': token } : {}),
  };
}
