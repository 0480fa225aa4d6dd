import type { z } from 'zod';
import type { LegalHoldDetails } from '../../shared/api/holds.ts';
import { facts } from './terminal.ts';

type HoldDetails = z.infer<typeof LegalHoldDetails>;
type Hold = Omit<HoldDetails, 'faxes' | 'documents_due' | 'next_cleanup_at'>;

/** Returns the lines of a fax that is under legal holds; none for any other. */
export function holdFacts({
  legal_holds,
}: {
  readonly legal_holds: readonly { readonly name: string }[];
}): (readonly [string, string])[] {
  return legal_holds.length === 0 ? [] : [['Legal hold', legal_holds.map(({ name }) => name).join(', ')]];
}

/** Describes the faxes that a hold covers in a few words. */
export function coveredWords({ kind, case_id, numbers, contact, mailbox, since, until }: Hold): string {
  const covered = {
    faxes: 'named faxes',
    case: `case ${case_id}`,
    number: numbers.join(', '),
    contact: `${contact?.name} (${numbers.join(', ')})`,
    mailbox: `mailbox ${mailbox?.label ?? mailbox?.id}`,
    period: 'every fax',
  }[kind];
  const range = [since === null ? '' : ` from ${since}`, until === null ? '' : ` until ${until}`];
  return `${covered}${range.join('')}`;
}

/** Describes a hold with the number of its faxes. */
export function describeHold(hold: HoldDetails): string {
  return facts([
    ['Legal hold', hold.id],
    ['Name', hold.name],
    ['Reason', hold.reason],
    ['Covers', coveredWords(hold)],
    ['Sent faxes', hold.faxes.sent],
    ['Received faxes', hold.faxes.received],
    ['Placed', `${hold.placed_at} by ${hold.placed_by}`],
    ...(hold.released_at === null
      ? []
      : ([
          ['Released', `${hold.released_at} by ${hold.released_by}`],
          ...(hold.release_note === null ? [] : [['Note', hold.release_note] as const]),
        ] as const)),
    [hold.released_at === null ? 'Deleted after a release' : 'To be deleted', dueWords(hold)],
  ]);
}

/** Says how many documents the next cleanup deletes without the hold, and when. */
export function dueWords({ documents_due: due, next_cleanup_at: at }: HoldDetails): string {
  if (at === null) return 'nothing: documents are kept for good';
  if (due === 0) return 'no documents now';
  return `${due} ${due === 1 ? 'document' : 'documents'} at ${at}`;
}
