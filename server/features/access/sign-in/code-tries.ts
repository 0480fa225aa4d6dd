import type { Database, WriteTx } from '../../../db/database.ts';
import { addressGroup } from '../../../platform/address-range.ts';
import { RefusalError } from '../../../platform/errors.ts';
import type { Allowance, StoredLimit } from './stored-limit.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_S = 60;
const perDay = (max: number) => ({ max, refillMs: DAY_MS / max });
/** Wrong codes of one person in 24 hours in one known browser, from one address, or in one session. */
const TRIES_PER_SOURCE = perDay(10);
/** Wrong codes of one person in 24 hours from all addresses together. */
const TRIES_IN_TOTAL = perDay(20);

/** The person whose code is checked, and the source: a known browser, an address, or else a session of theirs. */
type CodeTry =
  | { readonly principalId: string; readonly browserId: string }
  | { readonly principalId: string; readonly address: string }
  | { readonly principalId: string };

/**
 * Counts wrong codes of a person, recovery codes as well. Only after the
 * password, or within a session, can a code be tried. Known browsers have attempts of their own, so that an intruder with the password cannot use up those of the
 * person.
 */
export interface CodeTries {
  /** Takes one attempt before a code is checked. Throws a 429 refusal with the time at which the next one is possible. */
  take(tx: WriteTx, attempt: CodeTry): Promise<void>;
  /** Gives the attempt back after a correct code. */
  giveBack(tx: WriteTx, attempt: CodeTry): Promise<void>;
  /**
   * Takes one attempt for work that throws `wrong_code` for a wrong code, and gives it back when the work ends otherwise.
   * Throws 429.
   */
  runWithTry<T>(attempt: CodeTry, work: () => Promise<T>): Promise<T>;
}

export function createCodeTries({ db, limit }: { db: Database; limit: StoredLimit }): CodeTries {
  const take: CodeTries['take'] = async (tx, attempt) => {
    const waitMs = await limit.takeIn(tx, allowancesOf(attempt));
    if (waitMs > 0) throw tooManyCodes(Math.ceil(waitMs / 1000));
  };
  const giveBack: CodeTries['giveBack'] = (tx, attempt) => limit.giveBack(tx, allowancesOf(attempt));
  return {
    take,
    giveBack,
    async runWithTry(attempt, work) {
      await db.transaction((tx) => take(tx, attempt));
      let isWrong = false;
      try {
        return await work();
      } catch (error) {
        isWrong = error instanceof RefusalError && error.refusalCode === 'wrong_code';
        throw error;
      } finally {
        if (!isWrong) await db.transaction((tx) => giveBack(tx, attempt));
      }
    },
  };
}

function allowancesOf(attempt: CodeTry): Allowance[] {
  const whose = `codes:${attempt.principalId}`;
  if ('browserId' in attempt) return [{ key: `${whose}:browser:${attempt.browserId}`, ...TRIES_PER_SOURCE }];
  if ('address' in attempt)
    return [
      { key: `${whose}@${addressGroup(attempt.address)}`, ...TRIES_PER_SOURCE },
      { key: whose, ...TRIES_IN_TOTAL },
    ];
  return [{ key: `${whose}:session`, ...TRIES_PER_SOURCE }];
}

function tooManyCodes(seconds: number): RefusalError {
  return new RefusalError('too_many_codes', {
    sentence: `Too many wrong codes. You can try another one in ${durationOf(seconds)}.`,
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}

/** Formats a duration such as `2 hours and 24 minutes`, rounded up to whole minutes. */
function durationOf(seconds: number): string {
  const minutes = Math.ceil(seconds / MINUTE_S);
  const parts = [countText(Math.floor(minutes / MINUTE_S), 'hour'), countText(minutes % MINUTE_S, 'minute')];
  return parts.filter((part) => part !== null).join(' and ');
}

const countText = (count: number, unit: string): string | null =>
  count === 0 ? null : `${count} ${unit}${count === 1 ? '' : 's'}`;
