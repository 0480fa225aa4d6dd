import { epochOf } from '../../../platform/clock.ts';
import type { Figure } from '../../../platform/figure.ts';
import type { OutboundParts } from '../parts.ts';
import { oldestInState } from '../store/job-store.ts';

/** States that a fax leaves by itself or by an act of a person. A fax in `ready` may wait for a time that was chosen. */
const OPEN_STATES = ['held', 'preparing', 'submitting', 'in_progress', 'reconciliation_required'] as const;

/** Returns the age of the oldest fax in each open state, for `/metrics`; nothing for a state without faxes. */
export async function ageFigures({ db, clock }: Pick<OutboundParts, 'db' | 'clock'>): Promise<Figure[]> {
  const oldest = await Promise.all(
    OPEN_STATES.map(async (state) => ({ state, at: await oldestInState(db.read, state) })),
  );
  return oldest.flatMap(({ state, at }) =>
    at === null
      ? []
      : {
          name: 'oldest_fax_age_seconds',
          help: 'Age of the oldest fax by state',
          labels: { state },
          value: Math.max(0, clock.now() - epochOf(at)) / 1000,
        },
  );
}
