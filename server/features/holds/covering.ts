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
