import type { z } from 'zod';
import type { InboundHandOver } from '../../../../shared/api/telephony.ts';
import { storedTime } from '../../../platform/clock.ts';
import type { RefusalError } from '../../../platform/errors.ts';
import { dotsPerInch } from '../../../platform/fax-resolution.ts';
import { toE164 } from '../../../platform/phone-number.ts';
import type { TelephonySettings } from '../parts.ts';
import type { FaxName, LeftoverCall } from '../types.ts';
import { type ReportedCall, UNKNOWN } from './types.ts';

type HandOver = z.infer<typeof InboundHandOver>;

/** Returns the caller and the called number as the engine reported them; null for a number it did not report. */
export function numbersOf(
  settings: Pick<TelephonySettings, 'country'>,
  order: HandOver,
): { from: string | null; to: string | null } {
  const numberOf = (text: string | null | undefined) => (text ? toE164(text, settings.country()) : null);
  return {
    from: numberOf(order.from_number) ?? numberOf(order.call?.caller),
    to: numberOf(order.to_number) ?? numberOf(order.call?.did),
  };
}

/** Returns true when every page of the fax came. */
export const isComplete = ({ faxstatus }: HandOver): boolean =>
  ['', 'SUCCESS'].includes(faxstatus?.toUpperCase() ?? '');

/** Builds the log entry of a call whose fax was handed over. */
export function receivedCall(
  settings: TelephonySettings,
  order: HandOver,
  { name, faxId }: { name: FaxName; faxId: string },
): ReportedCall {
  const reported = reportedCall(settings, order, name);
  return isComplete(order)
    ? {
        ...reported,
        outcome: 'received',
        sentence: receivedSentence(reported.pages_confirmed),
        received_fax_id: faxId,
      }
    : { ...reported, outcome: 'incomplete', sentence: INCOMPLETE, received_fax_id: faxId };
}

const INCOMPLETE = 'The call ended before the fax was complete, so pages may be missing.';

function receivedSentence(pages: number | null): string {
  if (pages === null || pages === 0) return 'The fax was received.';
  return pages === 1 ? '1 page was received.' : `${pages} pages were received.`;
}

/** Builds the log entry of a call whose fax was not taken. */
export function refusedCall(
  settings: TelephonySettings,
  order: HandOver,
  { name, refusal }: { name: FaxName; refusal: RefusalError },
): ReportedCall {
  const sentence = `The fax was not accepted from the telephone engine. ${refusal.publicMessage}`;
  return { ...reportedCall(settings, order, name), outcome: 'refused', sentence };
}

/**
 * Builds the log entry of a call whose image was found. `left`: the note of the failed hand-over; null where there is
 * none.
 */
export function recoveredCall(
  settings: TelephonySettings,
  left: LeftoverCall | null,
  { name, faxId }: { name: FaxName; faxId: string },
): ReportedCall {
  const reported = left?.order
    ? reportedCall(settings, left.order, name)
    : { ...UNKNOWN, ...namedCall(name) };
  const reason = left === null ? 'The telephone engine had not reported the call.' : left.sentence;
  return {
    ...reported,
    outcome: left?.order && !isComplete(left.order) ? 'incomplete' : 'received',
    sentence: `${reason} Faxdesk found the image and received the fax.`,
    received_fax_id: faxId,
  };
}

/** Returns the fields that identify a call in the log. The same call id over two trunks is two calls. */
const namedCall = ({ account, callId }: FaxName) =>
  ({ direction: 'incoming', call_key: incomingKey({ account, callId }), line: account }) as const;

/** Returns the key of an incoming call in the log. */
export const incomingKey = ({ account, callId }: FaxName): string => `${account} ${callId}`;

function reportedCall(
  settings: TelephonySettings,
  order: HandOver,
  name: FaxName,
): Omit<ReportedCall, 'outcome' | 'sentence'> {
  const { from, to } = numbersOf(settings, order);
  const { call } = order;
  const timeOf = (time: string | null | undefined) => storedTime(time ?? undefined) ?? null;
  const mode = typeof call?.t38 === 'boolean' ? (call.t38 ? 't38' : 'audio') : null;
  return {
    ...UNKNOWN,
    ...namedCall(name),
    started_at: timeOf(call?.started_at),
    answered_at: timeOf(call?.answered_at),
    ended_at: timeOf(call?.ended_at),
    number: from,
    own_number: to,
    failure_code: isComplete(order) ? null : (order.faxstatus ?? null),
    mode,
    cause: call?.cause ?? null,
    rate_bps: call?.rate_bps || null,
    resolution: dotsPerInch(call?.resolution),
    pages_confirmed: order.faxpages ?? null,
    station_id: call?.remote_station_id?.replaceAll(/\p{Cf}/gu, '').trim() || null,
  };
}
