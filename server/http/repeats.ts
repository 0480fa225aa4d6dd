import type { Request } from 'express';
import { ACT_ID_HEADER } from '../../shared/act-id.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { IDEMPOTENCY_KEY, isRepeatable } from '../../shared/api/route-repeats.ts';
import { RefusalError } from '../platform/errors.ts';
import {
  type AnsweredRequests,
  type KeptAnswer,
  KeyTakenError,
  type RequestKey,
} from './answered-requests.ts';
import type { Caller } from './caller.ts';
import { checkKey, REPLAYED } from './idempotency-key.ts';
import { FileReply, OpenReply, Reply } from './reply.ts';
import type { RequestInput } from './request-input.ts';

/** Wait for the answer of a request that another gateway carries out. */
const OTHER_GATEWAY = { pauseMs: 100, tries: 20 } as const;
const ACT_ID = /^[\w-]{16,64}$/u;
/** Rooms whose answers hold no secrets that are shown once; the console does not need them a second time. */
const ACT_ROOMS: ReadonlySet<string> = new Set([
  'outbound',
  'broadcasts',
  'inbound',
  'work',
  'contacts',
  'settings',
  'intake',
  'print-rules',
  'mail-to-fax',
  'routing',
  'direct',
]);

/** A change and the request for it. `present` reads what it changed, where its own answer is lost. */
interface RepeatableChange {
  readonly route: RouteDefinition;
  readonly request: Request;
  readonly caller: Caller;
  readonly input: Pick<RequestInput, 'query' | 'body' | 'fields' | 'files'>;
  run(): Promise<unknown>;
  readonly present: (() => Promise<unknown>) | null;
}

/**
 * Carries changes out once for each key of a caller: `Idempotency-Key` of programs, `X-Act-Id` of the console. A repeated
 * request gets the answer of the first one, also while that is under way and after a crash. A change that was refused did
 * nothing, and is tried again.
 */
export function createRepeats(answered: AnsweredRequests): Repeats {
  return new Repeats(answered);
}

export type { Repeats };

/** Change that this gateway is carrying out. */
interface OpenChange {
  readonly fingerprint: string;
  readonly answer: Promise<unknown>;
}

class Repeats {
  readonly #answered: AnsweredRequests;
  readonly #open = new Map<string, OpenChange>();

  constructor(answered: AnsweredRequests) {
    this.#answered = answered;
  }

  /** Returns the answer. Throws a 409 refusal for a key that another request had. */
  async once(change: RepeatableChange): Promise<unknown> {
    const request = requestKeyOf(change);
    if (request === null) return change.run();
    const fingerprint = this.#answered.digest(contentOf(change));
    const name = `${request.callerId} ${request.key}`;
    const open = this.#open.get(name);
    if (open) {
      if (open.fingerprint !== fingerprint) throw keyReused();
      return replayed(await open.answer);
    }
    const answer = this.#answer(change, request, fingerprint);
    this.#open.set(name, { fingerprint, answer });
    try {
      return await answer;
    } finally {
      this.#open.delete(name);
    }
  }

  async #answer(change: RepeatableChange, request: RequestKey, fingerprint: string): Promise<unknown> {
    const earlier = await this.#answered.find(request);
    if (earlier !== null) return this.#replay(change, request, fingerprint);
    try {
      const answer = await this.#answered.carryOut(request, fingerprint, () => change.run());
      // The change was made, so its caller gets the answer even where it cannot be kept.
      await this.#keep(request, fingerprint, answer).catch(() => undefined);
      return answer;
    } catch (error) {
      if (error instanceof KeyTakenError) return this.#replay(change, request, fingerprint);
      throw error;
    }
  }

  async #keep(request: RequestKey, fingerprint: string, answer: unknown): Promise<void> {
    const kept = keptAnswerOf(answer);
    if (kept === null) await this.#answered.forget(request);
    else await this.#answered.keep(request, fingerprint, kept);
  }

  /** Another gateway may still be carrying it out. */
  async #replay(change: RepeatableChange, request: RequestKey, fingerprint: string): Promise<unknown> {
    for (let tried = 0; tried < OTHER_GATEWAY.tries; tried += 1) {
      const earlier = await this.#answered.find(request);
      if (earlier === null) return this.#answer(change, request, fingerprint);
      if (earlier.fingerprint !== fingerprint) throw keyReused();
      if (earlier.answer !== null) return replayed(replyOf(earlier.answer));
      await new Promise((resolve) => setTimeout(resolve, OTHER_GATEWAY.pauseMs));
    }
    if (change.present === null) throw new RefusalError('answer_lost');
    return replayed(await change.present());
  }
}

const keyReused = () => new RefusalError('idempotency_key_reused');

/** The key of a request that may be repeated under it; null for any other. Throws a 400 refusal. */
function requestKeyOf({ route, request, caller }: RepeatableChange): RequestKey | null {
  if (!isRepeatable(route)) return null;
  // Another key of the same owner may not see the answer.
  const { kind, id } = caller.credential;
  const callerId = kind === 'session' ? caller.principal.id : id;
  const key = checkKey(request.get(IDEMPOTENCY_KEY));
  if (key !== null) return route.ownKey ? null : { callerId, key };
  const act = request.get(ACT_ID_HEADER);
  if (act === undefined || !ACT_ID.test(act) || !ACT_ROOMS.has(route.room)) return null;
  return { callerId, key: `act ${act}` };
}

/** Returns all that makes a request another one. It may have passwords and keys. */
function contentOf({ route, request, input }: RepeatableChange): string {
  const files = input.files.map(({ field, fileName, digest }) => [field, fileName, digest]);
  const { query, body, fields } = input;
  return JSON.stringify([route.method, request.path, query, body, fields, files]);
}

/** Null for an answer that is not kept: files, streams, and sessions that begin. */
function keptAnswerOf(answer: unknown): KeptAnswer | null {
  if (answer instanceof FileReply || answer instanceof OpenReply) return null;
  const { status = 0, headers, body } = answer instanceof Reply ? answer : new Reply(answer);
  return 'Set-Cookie' in headers ? null : { status, headers, body };
}

const replyOf = ({ status, headers, body }: KeptAnswer) =>
  new Reply(body, { headers, ...(status === 0 ? {} : { status }) });

/** Marks an answer as that of an earlier request. */
function replayed(answer: unknown): unknown {
  if (answer instanceof FileReply || answer instanceof OpenReply) return answer;
  const { status, headers, body } = answer instanceof Reply ? answer : new Reply(answer);
  return new Reply(body, {
    headers: { ...headers, ...REPLAYED },
    ...(status === undefined ? {} : { status }),
  });
}
