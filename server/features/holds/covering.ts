import { isoTime } from '../../platform/clock.ts';
import type { HoldScope } from '../../platform/hold-scope.ts';
import type { HeldFacts } from './types.ts';

/** Returns those of the holds that cover a fax, in their order. */
export function holdsOn<H extends HoldScope>(holds: readonly H[], fax: HeldFacts): H[] {
  return holds.filter((hold) => hold.faxIds.includes(fax.id) || appliesTo(hold, fax));
}

function appliesTo({ caseId, numbers, mailboxId, since, until }: HoldScope, fax: HeldFacts): boolean {
  const isRule =
    caseId !== null || numbers.length > 0 || mailboxId !== null || since !== null || until !== null;
  return (
    isRule &&
    (caseId === null || fax.caseId === caseId) &&
    (numbers.length === 0 || fax.numbers.some((number) => number !== null && numbers.includes(number))) &&
    (mailboxId === null || fax.mailboxId === mailboxId) &&
    (since === null || fax.at >= since) &&
    (until === null || fax.at < until)
  );
}

/** Returns the ids of those faxes that one of the holds covers. */
export function heldIds(holds: readonly HoldScope[], faxes: readonly HeldFacts[]): ReadonlySet<string> {
  return new Set(faxes.filter((fax) => holdsOn(holds, fax).length > 0).map(({ id }) => id));
}

/** Returns the time of the next cleanup after `now`, where one is made every so many minutes of the clock. */
export function nextCleanupAt(now: number, everyMinutes: number): string {
  const everyMs = everyMinutes * 60_000;
  return isoTime((Math.floor(now / everyMs) + 1) * everyMs);
}
