import type { PageForm } from '../../../../shared/encoded-pages.ts';
import type { SendWhen } from '../../../../shared/send-when.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import type { Caller } from '../../access/service.ts';
import type { CoverRequest } from '../../covers/types.ts';

/**
 * Returns the fingerprint that two equal requests share, besides number, document and mailbox: it covers the queue
 * setting, the scheduled and the latest time, its hours, whether grays are cleaned, the form of the pages, and a named
 * cover page.
 */
export function fingerprintOf(request: {
  queueOnly: boolean;
  sendAt: string | null;
  cleanGreys: boolean;
  pageForm: PageForm;
  /** Null where none was named. */
  cover: CoverRequest | null;
  sendBy: string | null;
  sendWhen: SendWhen;
}): string {
  const { queueOnly, sendAt, cleanGreys, pageForm, cover, sendBy, sendWhen } = request;
  const form = pageForm === 'automatic' ? [] : [pageForm];
  const covered =
    cover === null || (cover.id === null && Object.keys(cover.fields).length === 0) ? [] : [cover];
  const times = sendBy === null && sendWhen === 'now' ? [] : [{ sendBy, sendWhen }];
  return sha256Hex(JSON.stringify([queueOnly, sendAt, cleanGreys, ...form, ...covered, ...times]));
}

/** Returns the fingerprint of a document by the files it is made of, as they were sent. */
export function documentFingerprintOf(digests: readonly string[]): string {
  return sha256Hex(JSON.stringify(digests));
}

/**
 * Returns the caller under whom an Idempotency-Key counts: the principal, whose test keys have keys of their own, so that a
 * test never answers for a live fax.
 */
export const requesterOf = ({
  principal,
  isTest,
}: Pick<Caller, 'isTest'> & { readonly principal: Pick<Caller['principal'], 'id'> }): string =>
  isTest ? `test:${principal.id}` : principal.id;

/**
 * Returns the requester under whom the key of a request counts. Keys that the gateway made count for all people: another person who
 * continues an interrupted act sends no second fax.
 */
export const keyRequesterOf = (
  { isGatewayKey }: { readonly isGatewayKey?: boolean },
  caller: Caller,
): string => requesterOf(isGatewayKey ? { principal: { id: 'gateway' }, isTest: caller.isTest } : caller);

/** Requests with one key wait for each other in this process; across processes the key's row decides. */
export function createKeyedMutex(): KeyedMutex {
  return new KeyedMutex();
}

class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise: tail, resolve: release } = Promise.withResolvers<void>();
    this.#tails.set(key, tail);
    await before;
    try {
      return await work();
    } finally {
      release();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
