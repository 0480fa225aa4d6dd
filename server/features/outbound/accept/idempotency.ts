import type { PageForm } from '../../../../shared/encoded-pages.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import type { Caller } from '../../access/service.ts';
import type { CoverRequest } from '../../covers/types.ts';

/**
 * Returns the fingerprint that two equal requests share, besides number, document and mailbox: it covers the queue
 * setting, the scheduled time, whether grays are cleaned, the form of the pages, and a named cover page.
 */
export function fingerprintOf(request: {
  queueOnly: boolean;
  sendAt: string | null;
  cleanGreys: boolean;
  pageForm: PageForm;
  /** Null where none was named. */
  cover: CoverRequest | null;
}): string {
  const { queueOnly, sendAt, cleanGreys, pageForm, cover } = request;
  const form = pageForm === 'automatic' ? [] : [pageForm];
  const covered =
    cover === null || (cover.id === null && Object.keys(cover.fields).length === 0) ? [] : [cover];
  return sha256Hex(JSON.stringify([queueOnly, sendAt, cleanGreys, ...form, ...covered]));
}

/** Returns the fingerprint of a document by the files it is made of, as they were sent. */
export function documentFingerprintOf(digests: readonly string[]): string {
  return sha256Hex(JSON.stringify(digests));
}

/**
 * Returns the caller under whom an Idempotency-Key counts: the principal, whose test keys have keys of their own, so that a
 * test never answers for a live fax.
 */
export const requesterOf = ({ principal, isTest }: Pick<Caller, 'principal' | 'isTest'>): string =>
  isTest ? `test:${principal.id}` : principal.id;

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
