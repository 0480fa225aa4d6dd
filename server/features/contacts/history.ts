import type { z } from 'zod';
import type { ContactHistory } from '../../../shared/api/contacts-shapes.ts';
import type { Caller } from '../access/service.ts';
import { numbersOf } from './contact-row.ts';
import type { ContactsParts } from './parts.ts';
import type { ContactRow } from './types.ts';

const RECENT = 10;

/** Returns the faxes that were sent to a contact and received from it, among those that the caller may see. */
export async function historyOf(
  { memory, received }: Pick<ContactsParts, 'memory' | 'received'>,
  caller: Caller,
  row: ContactRow,
): Promise<z.infer<typeof ContactHistory>> {
  const numbers = numbersOf(row);
  const sent = await memory().historyOf(caller, numbers, RECENT);
  const facts = [...(await memory().factsOf(caller, numbers)).values()];
  const got = await received().receivedFrom(caller, numbers, RECENT);
  const recent = [...sent.recent, ...got].toSorted((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
  return {
    delivered: sent.delivered,
    failed: sent.failed,
    pages_delivered: sent.pagesDelivered,
    last_success_at:
      facts
        .flatMap(({ last_success_at }) => last_success_at ?? [])
        .toSorted()
        .at(-1) ?? null,
    last_failure_at: sent.lastFailureAt,
    last_received_at: got[0]?.at ?? null,
    recent: recent.slice(0, RECENT),
  };
}
