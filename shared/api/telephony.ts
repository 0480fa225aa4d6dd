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
    found: Count.describe('number of images in the folder of the telephone engine'),
    received: Count.describe('number of those whose fax was already received'),
    waiting: Count.describe(
      'number of those whose fax is waiting; its document is created in the background',
    ),
  })
  .meta({ id: 'InboundRecovery' });

/** Message from the telephone engine about a fax that it received. */
export const InboundHandOver = z
  .strictObject({
    tiff_path: LineOfText(1000)
      .min(1)
      .describe('path of the image: absolute, or relative to the data folder'),
    to_number: LineOfText(100).nullish(),
    from_number: LineOfText(100).nullish(),
    faxstatus: LineOfText(40).nullish().describe('status from the engine, e.g. SUCCESS'),
    faxpages: Count.max(100_000).nullish(),
    uniqueid: LineOfText(150)
      .nullish()
      .describe(
        'id of the call: the same id again is the same fax; the name of the image is used if left out',
      ),
    call: z
      .strictObject({
        did: LineOfText(100).nullish().describe('number that was called'),
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
          .describe('dots per inch or per meter, horizontal and vertical, e.g. 8031x7700'),
        cause: Count.max(255).nullish().describe('Q.850 code of the reason why the call ended'),
      })
      .nullish(),
  })
  .meta({ id: 'InboundHandOver' });

const PresetValue = z.strictObject({
  value: z.union([z.string(), z.number(), z.boolean()]),
  state: z
    .enum(['checked', 'to be checked'])
    .describe('state of the comparison with the carrier’s own documentation'),
  source: z.string().describe('source of the value'),
});

/** Preset for the trunks of a carrier. */
export const TrunkPreset = z
  .strictObject({
    name: z.string().describe('for the setting TRUNK_PRESET'),
    label: z.string(),
    values: z.record(z.string(), PresetValue).describe('values by setting name'),
    hosts: z.array(z.string()).describe('hosts of the carrier to select from'),
    sources: PresetValue.extend({ value: z.array(z.string()) }).describe(
      'other addresses, besides the host, that its calls come from',
    ),
    note: z.string().describe('note for people, or empty'),
  })
  .meta({ id: 'TrunkPreset' });

const Host = LineOfText(253).min(1);
/** Parts of the telephone engine's configuration that are in no setting. */
export const TelephonyConfigurationRequest = z.strictObject({
  gateway_url: LineOfText(300)
    .regex(/^https?:\/\/[^\s/]+\/?$/u, 'must be a web address without a path')
    .optional()
    .describe('address that the engine uses to reach Faxdesk; the address on this computer if left out'),
  manager_bind: Host.optional().describe('address of its manager interface; 127.0.0.1 if left out'),
  sip_bind: Host.optional().describe('address that it uses for the trunk; all addresses if left out'),
  sip_port: z.number().int().min(1).max(65_535).optional().describe('5060, or 5061 with TLS, if left out'),
});

/** Folder and files of the written configuration, on the computer of the gateway. */
export const TelephonyConfiguration = z
  .strictObject({ folder: z.string(), files: z.array(z.string()) })
  .meta({ id: 'TelephonyConfiguration' });

/** Details for the person who installs the configuration in the telephone engine. */
export const TelephonyLine = z
  .strictObject({
    problem: z.string().nullable().describe('problem in the settings; null if there is none'),
    data_folder: z.string().describe('path on the gateway’s computer'),
    engine_folder: z
      .string()
      .nullable()
      .describe('path of the data folder for the engine; null if it has no access'),
    gateway_url: z.string().describe('address of the gateway on its own computer'),
    platform: z.string().describe('platform of the gateway’s computer, such as linux or win32'),
    configuration: z.strictObject({
      folder: z.string().describe('folder of the files, on the gateway’s computer'),
      written_at: OptionalTime.describe('null until it is written'),
      is_current: z.boolean().describe('true if it was written from the current settings'),
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
        detail: z.string().describe('sentence for people'),
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
    summary: 'Recover the images that the telephone engine left in its folder',
    description: 'Do not use this during a call: an unfinished image would be received as the complete fax.',
    access: 'providers:write',
    audited: { operation: 'inbound.recover', target: 'installation' },
    answer: { status: 202, schema: InboundRecovery },
    refusals: OFF,
  }),
  telephonyPresets: defineRoute({
    id: 'listTelephonyPresets',
    room,
    method: 'GET',
    path: '/telephony/presets',
    summary: 'List the carriers with a trunk preset',
    access: 'providers:write',
    answer: {
      status: 200,
      schema: z.strictObject({ presets: z.array(TrunkPreset) }).meta({ id: 'TrunkPresets' }),
    },
  }),
  telephonyLine: defineRoute({
    id: 'getTelephonyLine',
    room,
    method: 'GET',
    path: '/telephony/line',
    summary: 'Get the state of the phone line and the location of the engine configuration',
    access: 'providers:write',
    answer: { status: 200, schema: TelephonyLine },
  }),
  writeTelephonyConfiguration: defineRoute({
    id: 'writeTelephonyConfiguration',
    room,
    method: 'POST',
    path: '/telephony/configuration',
    summary: 'Write the configuration of the telephone engine to the data folder',
    description: 'It contains passwords, so it is never returned. Read it on the gateway’s computer.',
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
    summary: 'Check everything that is needed to fax over the phone line',
    access: 'providers:write',
    body: z.strictObject({
      loop: z
        .boolean()
        .default(false)
        .describe('true to also send a page within the engine, which takes 15 seconds or more'),
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
      'Has an entry for each finished outgoing call and each call that brought a fax, kept for CALL_LOG_DAYS. Unknown values',
      'are null. Faxes are listed by id; ids of faxes that the caller cannot see are left out.',
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
        .describe('number of the other side: with +, or a national number of the default country'),
      outcome: queryList(CALL_OUTCOMES).optional(),
      since: AnyTime.optional().describe('only calls recorded at this time or later'),
      until: AnyTime.optional().describe('only calls recorded before this time'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(TelephonyCall).meta({ id: 'TelephonyCallPage' }) },
    refusals: ['invalid_fax_number'],
  }),
  telephonyInbound: defineRoute({
    id: 'handOverInbound',
    room,
    method: 'POST',
    path: '/_internal/telephony/inbound',
    summary: 'Deliver a received fax from the telephone engine',
    access: 'public',
    headers: {
      'X-Internal-Secret': {
        description: 'text of the file telephony/inbound-secret in the data folder',
        required: true,
      },
    },
    body: InboundHandOver,
    badBody: 'sentence',
    answer: { status: 200, schema: InboundAcknowledgement.extend({ id: Id }) },
    refusals: [...OFF, 'invalid_credential', 'no_inbound_secret', 'image_refused', 'fax_removed'],
  }),
} as const;
