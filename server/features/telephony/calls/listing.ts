import { z } from 'zod';
import type { TelephonyCall } from '../../../../shared/api/telephony-calls.ts';
import { epochOf, storedTime } from '../../../platform/clock.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import type { Caller } from '../../access/service.ts';
import { badNumber } from '../errors.ts';
import type { TelephonyParts } from '../parts.ts';
import { type CallFilter, listCalls } from './store.ts';
import type { CallRow } from './types.ts';

type CallAnswer = z.infer<typeof TelephonyCall>;

/** Request for the list; number and times as typed. */
export type CallsRequest = CallFilter;

const Ids = z.array(z.string());

/** Lists calls, newest first. Throws a 400 refusal for an invalid number. */
export async function listCallLog(
  { db, settings, contacts }: TelephonyParts,
  caller: Caller,
  { number: typed, since, until, ...request }: CallsRequest,
): Promise<{ items: CallAnswer[]; next_cursor: string | null }> {
  const number = typed === undefined ? undefined : requestedNumber(typed, settings.country());
  if (number === null) throw badNumber();
  const times = { since: storedTime(since), until: storedTime(until) };
  const page = await listCalls(db.read, { ...request, ...times, number });
  const names = await contacts.namesOf(
    caller,
    page.items.flatMap((row) => row.number ?? []),
  );
  const items = page.items.map((row) => presentCall(row, names.get(row.number ?? '') ?? null));
  return { items, next_cursor: page.next_cursor };
}

function presentCall(row: CallRow, contact: CallAnswer['contact']): CallAnswer {
  const { call_key: _key, ecm, sent_fax_ids, ...shown } = row;
  const seconds = secondsOf(row);
  return {
    ...shown,
    contact,
    ecm: ecm === null ? null : ecm === 1,
    seconds,
    seconds_per_page: perPage(seconds, row.pages_confirmed),
    sent_fax_ids: Ids.parse(JSON.parse(sent_fax_ids)),
  };
}

/**
 * Returns the duration in seconds; null where it is not known, or where the clock of the engine was set back meanwhile.
 */
function secondsOf({ answered_at: from, ended_at: to }: CallRow): number | null {
  if (from === null || to === null) return null;
  const seconds = Math.round((epochOf(to) - epochOf(from)) / 1000);
  return seconds >= 0 ? seconds : null;
}

/** Returns the seconds per page, with one decimal. */
function perPage(seconds: number | null, pages: number | null): number | null {
  return seconds === null || pages === null || pages === 0 ? null : Math.round((seconds * 10) / pages) / 10;
}
