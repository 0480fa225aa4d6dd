import { z } from 'zod';
import { CALL_DIRECTIONS, CALL_MODES, CALL_OUTCOMES } from '../states/telephony.ts';
import { ContactRef } from './contacts-fields.ts';
import { Id, OptionalTime, Time, Version } from './values.ts';

const Count = z.number().int().min(0);

/** A call over the phone line. */
export const TelephonyCall = z
  .strictObject({
    id: Id,
    direction: z.enum(CALL_DIRECTIONS),
    recorded_at: Time.describe('time when the call was recorded in the log, after its end'),
    started_at: OptionalTime.describe(
      'time when Faxdesk asked the engine to make the call, or someone called',
    ),
    answered_at: OptionalTime,
    ended_at: OptionalTime,
    number: z.string().nullable().describe('number of the other side, E.164'),
    contact: ContactRef.nullable().describe('contact with that number; requires contacts:read'),
    own_number: z.string().nullable().describe('our number, E.164: shown to the other side, or called by it'),
    line: z.string().nullable().describe('account of the trunk'),
    outcome: z
      .enum(CALL_OUTCOMES)
      .describe('outcome of the whole call; if it carried several faxes, each fax has its own result'),
    sentence: z.string().describe('outcome as a sentence for people'),
    cause: z.number().int().nullable().describe('Q.850 code of the reason why it ended'),
    sip_status: z
      .number()
      .int()
      .nullable()
      .describe('response of the carrier to a call that was not answered'),
    failure_code: z.string().nullable().describe('failure code of the engine'),
    mode: z.enum(CALL_MODES).nullable().describe('pages sent as data (T.38) or as audio'),
    ecm: z.boolean().nullable().describe('true if the machines used error correction'),
    rate_bps: Count.nullable(),
    resolution: z.string().nullable().describe('dots per inch, horizontal and vertical, e.g. 204x196'),
    pages_sent: Count.nullable().describe('number of pages to send; null for incoming calls'),
    pages_confirmed: Count.nullable().describe(
      'number of pages that the other machine confirmed, or that were received',
    ),
    seconds: Count.nullable().describe('seconds from the answer to the end'),
    seconds_per_page: z.number().min(0).nullable().describe('seconds divided by the confirmed pages'),
    station_id: z
      .string()
      .nullable()
      .describe('name that the other machine gives itself: a hint, never an identity'),
    sent_fax_ids: z.array(Id).describe('faxes sent in the call, in the order of their pages'),
    received_fax_id: Id.nullable().describe('fax received in the call'),
    version: Version,
  })
  .meta({ id: 'TelephonyCall' });
