import { z } from 'zod';
import { ACCOUNT_PROBLEMS } from '../states/outbound.ts';
import { defineRoute } from './route.ts';
import { BackendName, OptionalTime } from './values.ts';

export const SENDING_STATES = ['ok', 'unreachable', 'off', 'not_set_up'] as const;

/** Fault of the provider: it does not answer, it refuses the account, or the account has no credit. */
const Fault = z.enum(['no_answer', ...ACCOUNT_PROBLEMS]).nullable();

/** `late`: older than the schedule of the office allows; `failed`: the last one failed or lacks something. */
const BACKUP_LIGHTS = ['ok', 'none', 'late', 'failed'] as const;

export const CallbackAddress = z.strictObject({
  backend: BackendName,
  purpose: z
    .string()
    .describe(
      '"received faxes", or "outcome of sent faxes" while there is no public address; with one, each fax includes its own address',
    ),
  address: z.string().nullable().describe('null without a public address that providers can reach'),
  has_password: z
    .boolean()
    .describe(
      'true if the address contains a password, which is hidden here; POST /console/callback-addresses/{backend} returns it',
    ),
  sentence: z.string().nullable().describe('replacement while there is no address, as a sentence'),
});

export const Installation = z
  .strictObject({
    organization: z.string().nullable(),
    fax_number: z.string().nullable().describe('E.164'),
    time_zone: z.string().describe('time zone from the settings, or the one of the computer'),
    country: z.string().length(2),
    idle_lock_minutes: z.number().int().min(0).describe('0 means never'),
    public_address: z.string().nullable(),
    public_address_problem: z
      .string()
      .nullable()
      .describe('reason why no provider can reach the public address; it is then not used for them'),
    sending: z.strictObject({
      enabled: z.boolean().describe('false while all faxes are held'),
      backend: BackendName.nullable().describe('null without providers:read'),
      provider_name: z.string().nullable().describe('null without providers:read'),
      state: z.enum(SENDING_STATES),
      since: OptionalTime.describe('time since which the provider has not answered'),
      fault: Fault.describe('fault of the provider that prevents sending; null for none'),
      sentence: z.string().nullable().describe('sentence for people; null if there is no problem'),
    }),
    receiving: z.strictObject({
      enabled: z.boolean(),
      polling: z.boolean().describe('true if Faxdesk asks the providers every minute'),
      state: z.enum(SENDING_STATES),
      since: OptionalTime.describe('time since which the provider has not answered'),
      fault: Fault.describe('fault of the provider that prevents receiving; null for none'),
      sentence: z.string().nullable().describe('sentence for people; null if there is no problem'),
    }),
    backup: z
      .strictObject({
        state: z.enum(BACKUP_LIGHTS),
        last_at: OptionalTime.describe('time of the newest complete backup'),
        sentence: z.string().nullable().describe('sentence for people; null if there is no problem'),
      })
      .describe('true if there is a recent backup: from the last daily hour, or created within a week'),
    callback_addresses: z.array(CallbackAddress).nullable().describe('null without providers:read'),
    setup: z
      .strictObject({
        owner: z.boolean().describe('true if there is an owner'),
        provider: z.boolean().describe('true if a provider is chosen and has credentials'),
        header_line: z.boolean().describe('true if organization and own number are set'),
        test_fax: z
          .boolean()
          .describe('true if a fax was delivered, except to one of our own numbers without a call'),
      })
      .describe('finished steps of the first start'),
  })
  .meta({ id: 'Installation' });

const room = 'console';

export const installationRoutes = {
  installation: defineRoute({
    id: 'getInstallation',
    room,
    method: 'GET',
    path: '/console/installation',
    summary: 'Get the installation, its ability to send and receive, and the unfinished setup steps',
    access: 'signed-in',
    answer: { status: 200, schema: Installation },
  }),
  showCallbackAddress: defineRoute({
    id: 'showCallbackAddress',
    room,
    method: 'POST',
    path: '/console/callback-addresses/:backend',
    summary: 'Get the complete callback address for received faxes, with user name and password',
    description: 'Paste this address at the provider. The request is recorded in the security audit.',
    access: 'providers:write',
    audited: { operation: 'callback_address.show', target: 'provider', param: 'backend' },
    params: z.strictObject({ backend: BackendName }),
    answer: {
      status: 200,
      schema: z.strictObject({ address: z.string() }).meta({ id: 'CompleteAddress' }),
    },
    refusals: ['no_such_address'],
  }),
} as const;
