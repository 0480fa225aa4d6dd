import { z } from 'zod';
import { InboundAcknowledgement } from './inbound-shapes.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id } from './values.ts';

const Count = z.number().int().min(0);
const LineOfText = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^\P{Cc}*$/u, 'must be one line without control characters');

/** What became of the images that the telephone engine left. */
export const InboundRecovery = z
  .strictObject({
    found: Count.describe('images in the folder of the telephone engine'),
    received: Count.describe('of them, those whose fax was received before'),
    waiting: Count.describe('of them, those whose fax waits; its document is made in the background'),
  })
  .meta({ id: 'InboundRecovery' });

/** What the telephone engine tells of a fax that it received. */
export const InboundHandOver = z
  .strictObject({
    tiff_path: LineOfText(1000).min(1).describe('the image: absolute, or relative to the data folder'),
    to_number: LineOfText(100).nullish(),
    from_number: LineOfText(100).nullish(),
    faxstatus: LineOfText(40).nullish().describe('as the engine says it, e.g. SUCCESS'),
    faxpages: Count.max(100_000).nullish(),
    uniqueid: LineOfText(150)
      .nullish()
      .describe('names the call: the same one again is the same fax; the image names it when left out'),
    call: z
      .strictObject({
        did: LineOfText(100).nullish().describe('the number that was called'),
        caller: LineOfText(100).nullish(),
        started_at: AnyTime.nullish(),
        answered_at: AnyTime.nullish(),
        ended_at: AnyTime.nullish(),
        t38: z.boolean().nullish(),
        remote_station_id: LineOfText(100).nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'InboundHandOver' });

const room = 'telephony';
const OFF = ['receiving_off'] as const;

export const telephonyRoutes = {
  recoverInbound: defineRoute({
    id: 'recoverInbound',
    room,
    method: 'POST',
    path: '/inbound/recover',
    summary: 'Bring in the images that the telephone engine has left in its folder now',
    description:
      'Not while a call goes on: what the engine has written of its image so far is taken for the fax.',
    access: 'providers:write',
    audited: { operation: 'inbound.recover', target: 'installation' },
    answer: { status: 202, schema: InboundRecovery },
    refusals: OFF,
  }),
  telephonyInbound: defineRoute({
    id: 'telephonyInbound',
    room,
    method: 'POST',
    path: '/_internal/telephony/inbound',
    summary: 'The telephone engine hands over a fax that it received',
    access: 'public',
    headers: {
      'X-Internal-Secret': {
        description: 'the text in telephony/inbound-secret of the data folder',
        required: true,
      },
    },
    body: InboundHandOver,
    badBody: 'sentence',
    answer: { status: 200, schema: InboundAcknowledgement.extend({ id: Id }) },
    refusals: [...OFF, 'invalid_credential', 'image_refused'],
  }),
} as const;
