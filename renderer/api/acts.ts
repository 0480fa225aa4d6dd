import { useSyncExternalStore } from 'react';
import { ACT_ID_HEADER } from '../../shared/act-id.ts';
import { connectionState } from './connection.ts';
import { findEarlierResult } from './earlier-result.ts';
import { randomId } from './random-id.ts';
import { hasFiles, pathOf, sendUntilAnswered } from './send-until-answered.ts';

/** Time in ms after which an act without an answer is shown. */
const SHOWN_MS = 3_000;
const UPLOAD_CHECK_MS = 1_000;

/** Names of acts for people, by the last part of their address. */
type ActName =
  | 'acknowledge'
  | 'assign'
  | 'block'
  | 'cancel'
  | 'done'
  | 'move'
  | 'not-junk'
  | 'other'
  | 'release'
  | 'reopen'
  | 'resend'
  | 'save'
  | 'send'
  | 'unblock'
  | 'undo';

/** An act of a person that the gateway has not answered, or that it refused after a while without an answer. */
export interface OpenAct {
  readonly id: string;
  readonly name: ActName;
  /** Person who shall own an item; null for every other act. */
  readonly ownerId: string | null;
  /** Null while its result is not known. */
  readonly outcome: ActOutcome | null;
}

/** `unknown` is an act that cannot be repeated safely and got no answer. */
export type ActOutcome =
  | { readonly kind: 'refused'; readonly sentence: string | null }
  | { readonly kind: 'unknown' };

let acts: readonly OpenAct[] = [];
const listeners = new Set<() => void>();

function setActs(next: readonly OpenAct[]): void {
  acts = next;
  for (const listener of listeners) listener();
}

/** Returns the acts without an answer for three seconds, and those that ended badly after that; oldest first. */
export function useOpenActs(): readonly OpenAct[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => acts,
  );
}

/** Another one whenever the acts were forgotten. */
let turn = 0;

/** Forgets all acts, because another person may come. */
export function forgetActs(): void {
  turn += 1;
  setActs([]);
}

/** Removes an act whose outcome was read. */
export function dismissAct(id: string): void {
  setActs(acts.filter((act) => act.id !== id));
}

/**
 * Returns a `fetch` for everything that a page requests. An act without an answer is shown after three seconds. When the
 * connection breaks off it waits for the gateway, and is then repeated under its id where a version or a key keeps it from
 * being carried out twice, or a second time changes nothing; other acts fail.
 */
export function fetchSettled(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const address = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    return init === undefined || !isAct(address, init) ? send(input, init) : settle(send, address, init);
  };
}

/** Requests that change nothing by the will of a person, or report on their progress themselves. */
const NO_ACTS =
  /\/(auth\/|console\/draft-key|presence|fax\/preview|fax\/[^/]+\/(seen|refresh)|inbound\/[^/]+\/read|admin\/settings\/validate|telephony\/check|[^?]*\/test\b|inbound\/page)/u;

function isAct(address: string, { method = 'GET' }: RequestInit): boolean {
  return method !== 'GET' && method !== 'HEAD' && !NO_ACTS.test(address);
}

async function settle(send: typeof fetch, address: string, init: RequestInit): Promise<Response> {
  const id = randomId();
  const act: OpenAct = { id, name: nameOf(address, init), ownerId: ownerIn(init), outcome: null };
  const own = turn;
  let timer = setTimeout(show, SHOWN_MS);
  function show(): void {
    if (turn !== own) return;
    // An upload takes its time, and shows how far it is.
    if (hasFiles(init) && connectionState().connection !== 'lost') timer = setTimeout(show, UPLOAD_CHECK_MS);
    else setActs([...acts, act]);
  }
  const end = (outcome: ActOutcome | null) => {
    clearTimeout(timer);
    const isShown = acts.some((each) => each.id === id);
    if (!isShown) return;
    const rest = acts.filter((each) => each.id !== id);
    // The draft of a fax keeps what became of it, and the screen shows that.
    const isEnded = outcome === null || init.body instanceof FormData;
    setActs(isEnded ? rest : [...rest, { ...act, outcome }]);
  };
  try {
    const answer = await sendUntilAnswered(send, address, { ...init, headers: withId(init, id) });
    const isInDoubt = answer.isRepeated && answer.response.status === 409;
    const earlier = isInDoubt ? await earlierResponse(send, address, init) : null;
    const response = earlier ?? answer.response;
    end(response.ok ? null : { kind: 'refused', sentence: await sentenceIn(response) });
    return response;
  } catch (error) {
    end(init.signal?.aborted ? null : { kind: 'unknown' });
    throw error;
  }
}

function withId({ headers }: RequestInit, id: string): Headers {
  const all = new Headers(headers);
  all.set(ACT_ID_HEADER, id);
  return all;
}

/** Returns the answer that a refused repetition had at the first time; null when it was not carried out, or nobody knows. */
async function earlierResponse(
  send: typeof fetch,
  address: string,
  { body, headers, credentials = 'same-origin' }: RequestInit,
): Promise<Response | null> {
  if (typeof body !== 'string') return null;
  const reading = new Headers(headers);
  reading.delete('Content-Type');
  const read = async (path: string): Promise<unknown> => {
    const response = await send(path, { headers: reading, credentials });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };
  try {
    const result = await findEarlierResult(read, { path: pathOf(address), body: JSON.parse(body) });
    return result === null ? null : Response.json(result);
  } catch {
    return null;
  }
}

const NAMES: Readonly<Record<string, ActName>> = {
  acknowledge: 'acknowledge',
  assign: 'assign',
  'blocked-senders': 'block',
  cancel: 'cancel',
  done: 'done',
  fax: 'send',
  move: 'move',
  'not-junk': 'not-junk',
  release: 'release',
  reopen: 'reopen',
  resend: 'resend',
  settings: 'save',
  'try-again': 'resend',
  undo: 'undo',
};

function nameOf(address: string, { method }: RequestInit): ActName {
  const path = pathOf(address);
  const named = NAMES[path.slice(path.lastIndexOf('/') + 1)];
  if (method === 'DELETE' && path.startsWith('/inbound/blocked-senders/')) return 'unblock';
  return named ?? (method === 'PUT' || method === 'PATCH' ? 'save' : 'other');
}

/** Returns the person whom the body of a request makes the owner; null where it names none. */
const ownerIn = ({ body }: RequestInit): string | null =>
  (typeof body === 'string' && /"principal_id"\s*:\s*"([^"]+)"/u.exec(body)?.[1]) || null;

/** Returns the sentence of a refusal; null when it has none. */
async function sentenceIn(response: Response): Promise<string | null> {
  try {
    const { detail } = (await response.clone().json()) as { detail?: unknown };
    return typeof detail === 'string' ? detail : null;
  } catch {
    return null;
  }
}
