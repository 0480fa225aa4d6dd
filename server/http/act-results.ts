import type { Request } from 'express';
import { ACT_ID_HEADER } from '../../shared/act-id.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import type { Caller } from './caller.ts';
import { FileReply, OpenReply } from './reply.ts';

/** Time in ms for which the result of an act is kept: a console asks again when its connection is back. */
const KEPT_MS = 15 * 60_000;
const MAX_KEPT = 1_000;
const ID_FORM = /^[\w-]{16,64}$/u;
/** Rooms whose answers hold no secrets that are shown once. */
const ROOMS: ReadonlySet<string> = new Set([
  'outbound',
  'inbound',
  'work',
  'contacts',
  'settings',
  'intake',
  'mail-to-fax',
  'routing',
]);

interface KeptResult {
  /** Time of the first request, by `uptime`. */
  readonly at: number;
  readonly result: Promise<unknown>;
}

/**
 * Creates the results of recent acts. A console whose connection broke off repeats an act under the same id: it gets the
 * result of the first request, which is not carried out again. `uptime` returns a time in ms that no set clock changes.
 */
export function createActResults(uptime: () => number = () => performance.now()): ActResults {
  return new ActResults(uptime);
}

export type { ActResults };

class ActResults {
  readonly #uptime: () => number;
  readonly #kept = new Map<string, KeptResult>();

  constructor(uptime: () => number) {
    this.#uptime = uptime;
  }

  /** Carries an act out, or returns the result that it had before. An act that failed did nothing and is tried again. */
  async once<T>(
    { route, request, caller }: { route: RouteDefinition; request: Request; caller: Caller },
    run: () => Promise<T>,
  ): Promise<T> {
    const id = request.get(ACT_ID_HEADER);
    if (route.method === 'GET' || id === undefined || !ID_FORM.test(id) || !ROOMS.has(route.room))
      return run();
    const key = [caller.principal.id, route.id, request.path, id].join(' ');
    this.#forgetOld();
    const known = this.#kept.get(key);
    if (known) return known.result as Promise<T>;
    const result = run();
    this.#kept.set(key, { at: this.#uptime(), result });
    try {
      const answer = await result;
      if (answer instanceof FileReply || answer instanceof OpenReply) this.#kept.delete(key);
      return answer;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  /** Acts are kept in the order of their time. */
  #forgetOld(): void {
    for (const [key, { at }] of this.#kept) {
      if (this.#kept.size < MAX_KEPT && this.#uptime() - at < KEPT_MS) return;
      this.#kept.delete(key);
    }
  }
}
