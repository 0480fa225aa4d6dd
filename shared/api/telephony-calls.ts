import { z } from 'zod';
import { CALL_DIRECTIONS, CALL_MODES, CALL_OUTCOMES } from '../states/telephony.ts';
import { ContactRef } from './contacts.ts';
import { Id, OptionalTime, Time, Version } from './values.ts';

const Count = z.number().int().min(0);

/** A call over the phone line. */
export const TelephonyCall = z
  .strictObject({
    id: Id,
    direction: z.enum(CALL_DIRECTIONS),
    recorded_at: Time.describe('when the call came into the log, which is after its end'),
    started_at: OptionalTime.describe('when the engine was asked to make it, or somebody called'),
    answered_at: OptionalTime,
    ended_at: OptionalTime,
    number: z.string().nullable().describe('of the other side: who was called or called, E.164'),
    contact: ContactRef.nullable().describe('whose that number is; needs contacts:read'),
    own_number: z.string().nullable().describe('our number: shown to who was called, or called, E.164'),
    line: z.string().nullable().describe('the account of the trunk'),
    outcome: z
      .enum(CALL_OUTCOMES)
      .describe('of the whole call; which of several faxes arrived, each of them says itself'),
    sentence: z.string().describe('the outcome for a person'),
    cause: z.number().int().nullable().describe('why it ended, as Q.850 counts causes'),
    sip_status: z.number().int().nullable().describe('what the carrier answered to a call that nobody took'),
    failure_code: z.string().nullable().describe('what the engine calls the failure'),
    mode: z
      .enum(CALL_MODES)
      .nullable()
      .describe('pages as data (T.38), or as tones in the sound of the call'),
    ecm: z.boolean().nullable().describe('whether the machines agreed on error correction'),
    rate_bps: Count.nullable(),
    resolution: z.string().nullable().describe('dots per inch, across and down, e.g. 204x196'),
    pages_sent: Count.nullable().describe('pages that were to be sent; null for incoming calls'),
    pages_confirmed: Count.nullable().describe('pages that the other machine confirmed, or that came in'),
    seconds: Count.nullable().describe('from the answer to the end'),
    seconds_per_page: z.number().min(0).nullable().describe('the seconds by the pages that were confirmed'),
    station_id: z
      .string()
      .nullable()
      .describe('what the other machine calls itself: a hint, never an identity'),
    sent_fax_ids: z.array(Id).describe('the faxes that it carried, in the order of their pages'),
    received_fax_id: Id.nullable().describe('the received fax that came of it'),
    version: Version,
  })
  .meta({ id: 'TelephonyCall' });
