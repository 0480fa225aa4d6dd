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
      '"received faxes", or "outcome of sent faxes" while there is no public address: with one, each fax brings its own',
    ),
  address: z.string().nullable().describe('null without a public address that providers can reach'),
  has_password: z
    .boolean()
    .describe(
      'the address needs a password, which is hidden here; POST /console/callback-addresses/{backend} tells it',
    ),
  sentence: z.string().nullable().describe('what happens instead while there is no address'),
});

export const Installation = z
  .strictObject({
    organization: z.string().nullable(),
    fax_number: z.string().nullable().describe('E.164'),
    time_zone: z.string().describe('the one set, else the one of the computer'),
    country: z.string().length(2),
    idle_lock_minutes: z.number().int().min(0).describe('0 never locks'),
    public_address: z.string().nullable(),
    public_address_problem: z
      .string()
      .nullable()
      .describe('why no provider can reach the public address, so that it counts as none for them'),
    sending: z.strictObject({
      enabled: z.boolean().describe('false while all faxes are held'),
      backend: BackendName.nullable().describe('null without providers:read'),
      provider_name: z.string().nullable().describe('null without providers:read'),
      state: z.enum(SENDING_STATES),
      since: OptionalTime.describe('since when the provider does not answer'),
      fault: Fault.describe('of the provider, which lets no fax out; null for none'),
      sentence: z.string().nullable().describe('for a person; null when all is well'),
    }),
    receiving: z.strictObject({
      enabled: z.boolean(),
      polling: z.boolean().describe('the providers are asked every minute'),
      state: z.enum(SENDING_STATES),
      since: OptionalTime.describe('since when the provider does not answer'),
      fault: Fault.describe('of the provider, which lets no fax in; null for none'),
      sentence: z.string().nullable().describe('for a person; null when all is well'),
    }),
    backup: z
      .strictObject({
        state: z.enum(BACKUP_LIGHTS),
        last_at: OptionalTime.describe('of the newest whole backup'),
        sentence: z.string().nullable().describe('for a person; null when all is well'),
      })
      .describe('true with a recent backup: of the last daily hour, or made within a week'),
    callback_addresses: z.array(CallbackAddress).nullable().describe('null without providers:read'),
    setup: z
      .strictObject({
        owner: z.boolean().describe('an owner is enrolled'),
        provider: z.boolean().describe('a provider is chosen and has its credentials'),
        header_line: z.boolean().describe('organization and own number are set'),
        test_fax: z
          .boolean()
          .describe('a fax was delivered, other than to one of our own numbers without a call'),
      })
      .describe('the steps of the first start that are done'),
  })
  .meta({ id: 'Installation' });

const room = 'console';

export const installationRoutes = {
  installation: defineRoute({
    id: 'installation',
    room,
    method: 'GET',
    path: '/console/installation',
    summary: 'Whose installation this is, whether it can send, and what is left to set up',
    access: 'signed-in',
    answer: { status: 200, schema: Installation },
  }),
  showCallbackAddress: defineRoute({
    id: 'showCallbackAddress',
    room,
    method: 'POST',
    path: '/console/callback-addresses/:backend',
    summary: 'The whole address that a provider notifies of received faxes, with user name and password',
    description: 'It is what has to be pasted at the provider. Who asked for it is in the security audit.',
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
