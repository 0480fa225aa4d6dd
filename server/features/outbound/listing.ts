import type { z } from 'zod';
import type { FaxCounts } from '../../../shared/api/fax.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../../shared/states.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { toE164 } from '../../platform/phone-number.ts';
import { badNumber } from './errors.ts';
import type { OutboundParts } from './parts.ts';
import { searchable } from './search-text.ts';
import { newestAttempts } from './store/attempt-store.ts';
import { countByCreator, listJobs } from './store/job-list.ts';
import type { FaxRecord } from './types.ts';

/** What a caller asks of the list; times with any offset, the number as it was typed. */
export interface ListRequest {
  readonly state?: readonly DeliveryState[] | undefined;
  readonly to?: string | undefined;
  readonly created_by?: string | undefined;
  readonly q?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Faxes with their newest attempts, newest first. Throws a 400 refusal for a number that is none. */
export async function listFaxes(
  parts: OutboundParts,
  request: ListRequest,
): Promise<{ items: FaxRecord[]; next_cursor: string | null }> {
  const { limit, cursor } = request;
  const to = request.to === undefined ? undefined : toE164(request.to, parts.settings.country());
  if (to === null) throw badNumber();
  const page = await listJobs(parts.db.read, {
    to,
    states: request.state,
    createdBy: request.created_by,
    texts: request.q === undefined ? undefined : textsOf(request.q),
    since: storedTime(request.since),
    until: storedTime(request.until),
    limit,
    cursor,
  });
  const attempts = await newestAttempts(
    parts.db.read,
    page.items.map((job) => job.id),
  );
  const items = page.items.map((job) => ({ job, attempt: attempts.get(job.id) ?? null }));
  return { items, next_cursor: page.next_cursor };
}

/** Of everybody, and of the person with this id. */
export async function countFaxes(parts: OutboundParts, personId: string): Promise<z.infer<typeof FaxCounts>> {
  const zero = () =>
    Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as Record<DeliveryState, number>;
  const counts = { all: zero(), mine: zero() };
  for (const { created_by, delivery_state, count } of await countByCreator(parts.db.read)) {
    counts.all[delivery_state] += count;
    if (created_by === personId) counts.mine[delivery_state] += count;
  }
  return counts;
}

/** The text itself, and its digits when it may be a number with its groups. */
function textsOf(q: string): string[] {
  const text = searchable(q);
  if (text === '') return [];
  const digits = /^[\d+()\-./\s]+$/u.test(text) ? text.replaceAll(/\D/gu, '') : '';
  return digits === '' || digits === text ? [text] : [text, digits];
}

function storedTime(time: string | undefined): string | undefined {
  return time === undefined ? undefined : isoTime(epochOf(time));
}
