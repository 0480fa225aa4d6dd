import { z } from 'zod';
import { CALL_DIRECTIONS, CALL_OUTCOMES } from '../states/telephony.ts';
import { InboundAcknowledgement } from './inbound-shapes.ts';
import { defineRoute } from './route.ts';
import { TelephonyCall } from './telephony-calls.ts';
import { AnyTime, Cursor, Id, IdList, ListLimit, OptionalTime, pageOf, queryList } from './values.ts';

const Count = z.number().int().min(0);
const LineOfText = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u, 'must be one line without control characters');

/** Result of recovering the images that the telephone engine left. */
export const InboundRecovery = z
  .strictObject({
    found: Count.describe('images in the folder of the telephone engine'),
    received: Count.describe('of them, those whose fax was received before'),
    waiting: Count.describe('of them, those whose fax waits; its document is made in the background'),
  })
  .meta({ id: 'InboundRecovery' });

/** Message from the telephone engine about a fax that it received. */
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
        rate_bps: Count.max(1_000_000).nullish(),
        resolution: z
          .string()
          .regex(/^\d{2,5}x\d{2,5}$/u)
          .nullish()
          .describe('dots per inch or per meter, across and down, e.g. 8031x7700'),
        cause: Count.max(255).nullish().describe('why the call ended, as Q.850 counts causes'),
      })
      .nullish(),
  })
  .meta({ id: 'InboundHandOver' });

const PresetValue = z.strictObject({
  value: z.union([z.string(), z.number(), z.boolean()]),
  state: z
    .enum(['checked', 'to be checked'])
    .describe('whether somebody compared it with what the carrier says'),
  source: z.string().describe('where it comes from'),
});

/** Preset for the trunks of a carrier. */
export const TrunkPreset = z
  .strictObject({
    name: z.string().describe('for the setting TRUNK_PRESET'),
    label: z.string(),
    values: z.record(z.string(), PresetValue).describe('by the names of settings'),
    hosts: z.array(z.string()).describe('hosts of the carrier to choose from'),
    sources: PresetValue.extend({ value: z.array(z.string()) }).describe(
      'addresses besides the host that its calls come from',
    ),
    note: z.string().describe('what a person has to know, or empty'),
  })
  .meta({ id: 'TrunkPreset' });

const Host = LineOfText(253).min(1);
/** Parts of the telephone engine's configuration that are in no setting. */
export const TelephonyConfigurationRequest = z.strictObject({
  gateway_url: LineOfText(300)
    .regex(/^https?:\/\/[^\s/]+\/?$/u, 'must be a web address without a path')
    .optional()
    .describe('where the engine reaches Faxdesk; its address on this computer when left out'),
  manager_bind: Host.optional().describe('where its manager interface listens; 127.0.0.1 when left out'),
  sip_bind: Host.optional().describe('where it listens for the trunk; everywhere when left out'),
  sip_port: z.number().int().min(1).max(65_535).optional().describe('5060, or 5061 with TLS, when left out'),
});

/** Folder and files of the written configuration, on the computer of the gateway. */
export const TelephonyConfiguration = z
  .strictObject({ folder: z.string(), files: z.array(z.string()) })
  .meta({ id: 'TelephonyConfiguration' });

/** Details for the person who installs the configuration in the telephone engine. */
export const TelephonyLine = z
  .strictObject({
    problem: z.string().nullable().describe('what is missing or wrong in the settings; null when nothing is'),
    data_folder: z.string().describe('on the computer of the gateway'),
    engine_folder: z
      .string()
      .nullable()
      .describe('the data folder as the engine sees it; null while it cannot'),
    gateway_url: z.string().describe('where the gateway answers on its own computer'),
    platform: z.string().describe('of the computer of the gateway, such as linux or win32'),
    configuration: z.strictObject({
      folder: z.string().describe('where it is written, on the computer of the gateway'),
      written_at: OptionalTime.describe('null before it was written'),
      is_current: z.boolean().describe('whether it was written from the settings as they are now'),
    }),
  })
  .meta({ id: 'TelephonyLine' });

/** Results of the checks, in order; checks that depend on a failed one are omitted. */
export const TelephonyCheck = z
  .strictObject({
    ok: z.boolean(),
    checks: z.array(
      z.strictObject({
        name: z.enum(['settings', 'engine', 'modules', 'configuration', 'trunk', 'folder', 'loop']),
        ok: z.boolean(),
        detail: z.string().describe('a sentence for a person'),
      }),
    ),
  })
  .meta({ id: 'TelephonyCheck' });

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
  telephonyPresets: defineRoute({
    id: 'telephonyPresets',
    room,
    method: 'GET',
    path: '/telephony/presets',
    summary: 'The carriers whose trunks are set up from a preset',
    access: 'providers:write',
    answer: {
      status: 200,
      schema: z.strictObject({ presets: z.array(TrunkPreset) }).meta({ id: 'TrunkPresets' }),
    },
  }),
  telephonyLine: defineRoute({
    id: 'telephonyLine',
    room,
    method: 'GET',
    path: '/telephony/line',
    summary: 'Whether the phone line is set up, and where the configuration of its engine is',
    access: 'providers:write',
    answer: { status: 200, schema: TelephonyLine },
  }),
  writeTelephonyConfiguration: defineRoute({
    id: 'writeTelephonyConfiguration',
    room,
    method: 'POST',
    path: '/telephony/configuration',
    summary: 'Write the configuration of the telephone engine into the data folder',
    description: 'It holds passwords, so no answer does: it is read on the computer of the gateway.',
    access: 'providers:write',
    audited: { operation: 'telephony.configure', target: 'installation' },
    body: TelephonyConfigurationRequest,
    badBody: 'sentence',
    answer: { status: 200, schema: TelephonyConfiguration },
    refusals: ['telephony_not_set_up'],
  }),
  checkTelephony: defineRoute({
    id: 'checkTelephony',
    room,
    method: 'POST',
    path: '/telephony/check',
    summary: 'Look at everything that faxing over the phone line needs',
    access: 'providers:write',
    body: z.strictObject({
      loop: z
        .boolean()
        .default(false)
        .describe('also send a page within the engine, which takes 15 seconds or more'),
    }),
    badBody: 'sentence',
    answer: { status: 200, schema: TelephonyCheck },
  }),
  listTelephonyCalls: defineRoute({
    id: 'listTelephonyCalls',
    room,
    method: 'GET',
    path: '/telephony/calls',
    summary: 'List the calls over the phone line, newest first',
    description: [
      'An entry for each call that was made and has ended, or that brought a fax, for as long as CALL_LOG_DAYS says. What is',
      'not known of a call is null. The faxes are named by their ids; who may not see one does not get it by its id.',
    ].join(' '),
    access: 'providers:read',
    query: z.strictObject({
      ids: IdList.optional(),
      direction: z.enum(CALL_DIRECTIONS).optional(),
      number: z
        .string()
        .trim()
        .min(1)
        .max(40)
        .optional()
        .describe('of the other side: with +, or a national number of the default country'),
      outcome: queryList(CALL_OUTCOMES).optional(),
      since: AnyTime.optional().describe('recorded at this time or later'),
      until: AnyTime.optional().describe('recorded before this time'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(TelephonyCall).meta({ id: 'TelephonyCallPage' }) },
    refusals: ['invalid_fax_number'],
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
    refusals: [...OFF, 'invalid_credential', 'no_inbound_secret', 'image_refused'],
  }),
} as const;
