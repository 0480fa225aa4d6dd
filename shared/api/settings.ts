import { z } from 'zod';
import { FIXED_WORDS } from '../fixed-words.ts';
import { HEADER_OWN_FORMS } from '../header-line.ts';
import { ALL_PERMISSIONS } from '../permissions.ts';
import { defineRoute } from './route.ts';
import { BackendName, Cursor, Id, ListLimit, pageOf, Time } from './values.ts';

export const INVALID_CONFIGURATION = FIXED_WORDS.invalidConfiguration;
const error = INVALID_CONFIGURATION;

/** Value of a setting; null means not set. */
export const SettingJson = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()], {
  error,
});
const RevisionId = z
  .string({ error })
  .min(1, { error })
  .max(40, { error })
  .regex(/^[ -~]+$/u, { error });
const ProviderName = z.string({ error }).max(40, { error }).describe('a choice of FAX_BACKEND');
const NamedValues = z.record(z.string(), SettingJson, { error });

export const ConfigurationMeta = z.strictObject({
  active_revision_id: RevisionId.describe('The newest revision that is wholly in force'),
  desired_revision_id: RevisionId.describe('The newest saved revision'),
  generation: z.int().min(1).describe('The generation of the active revision'),
  apply_state: z.enum(['applied', 'pending_restart']),
  restart_recommended: z.boolean(),
});

/** Format of a text beyond being one line, so that a form can validate it while it is typed. */
const SETTING_FORMATS = [
  'line',
  'file',
  'folder',
  'phone_number',
  'country',
  'time_zone',
  'web_address',
  'base_address',
  'origin',
] as const;
export type SettingFormat = (typeof SETTING_FORMATS)[number];

export const SettingAnswer = z.strictObject({
  name: z.string(),
  value: SettingJson.describe('The newest saved value; always null for a secret'),
  is_set: z.boolean(),
  source: z.enum(['environment', 'stored', 'default']),
  secret: z.boolean(),
  needs_restart: z.boolean(),
  opens: z
    .array(z.enum(ALL_PERMISSIONS))
    .describe('what it takes, beside settings:write, to change it; each for the whole installation'),
  group: z.string(),
  label: z.string(),
  help: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'choice', 'list', 'secret']),
  choices: z.array(z.string()).nullable(),
  format: z.enum(SETTING_FORMATS).nullable().describe('of a text, or of each entry of a list'),
  least: z.int().nullable().describe('the least value of a number'),
  most: z.int().nullable().describe('the greatest value of a number, or the most characters of a text'),
  rule: z
    .strictObject({
      pattern: z.string().describe('a regular expression of JavaScript with the flag u'),
      sentence: z.string().describe('for a person whose text does not fit'),
    })
    .nullable()
    .describe('what a text, or each entry of a list, has to look like, where the format does not say it'),
  warning: z.string().nullable().describe('what follows from this value that a person should know'),
});

/** Provider that can be chosen, with everything needed to draw its form. */
export const ProviderAnswer = z.strictObject({
  backend: BackendName,
  name: z.string().describe('as people know it'),
  help: z.string().describe('one sentence for who chooses a provider'),
  settings: z.array(z.string()).describe('the names of its settings'),
  essentials: z.array(z.string()).describe('those that a person who has an account enters'),
  optional: z
    .array(z.string())
    .describe('those of the essentials that may stay empty: they only confirm where messages come from'),
  header_own_form: z
    .array(z.enum(HEADER_OWN_FORMS))
    .describe('parts of the header line that the provider prints in its own form'),
  notification_problem: z
    .strictObject({ title: z.string(), sentence: z.string(), action: z.string() })
    .nullable()
    .describe(
      'why its notifications of received faxes could not be verified, for a person; null when they can',
    ),
});

export const SettingsAnswer = z
  .strictObject({
    settings: z.array(SettingAnswer),
    providers: z.array(ProviderAnswer),
    _meta: ConfigurationMeta,
  })
  .meta({ id: 'ConfigurationResponse' });

export const ConfigurationWriteResponse = z
  .strictObject({ ok: z.literal(true), changed: z.boolean(), _meta: ConfigurationMeta })
  .meta({ id: 'ConfigurationWriteResponse' });

export const ConfigurationValidationErrorResponse = z
  .strictObject({
    detail: z.array(
      z.strictObject({
        loc: z.array(z.union([z.string(), z.int()])),
        type: z.string(),
        msg: z.literal(INVALID_CONFIGURATION),
      }),
    ),
  })
  .meta({ id: 'ConfigurationValidationErrorResponse' });

const ChangedSettings = z.object(
  { changes: NamedValues.optional(), expected_revision_id: RevisionId.optional() },
  { error },
);
const AnyConfigurationWrite = ChangedSettings.catchall(SettingJson).meta({ id: 'ConfigurationWrite' });

/** Beside the two fields, the flat lower-case names of earlier releases are understood at the top level. */
const ConfigurationWrite = AnyConfigurationWrite as z.ZodType<
  z.infer<typeof AnyConfigurationWrite>,
  z.input<typeof ChangedSettings>
>;

export const SettingsRevision = z.strictObject({
  id: Id,
  generation: z.int().min(1),
  created_at: Time,
  actor: z.strictObject({ id: z.string().nullable(), name: z.string() }),
  changes: z.array(
    z.strictObject({
      name: z.string(),
      from: SettingJson.describe('Null for a secret'),
      to: SettingJson.describe('Null for a secret'),
      secret: z.boolean(),
    }),
  ),
});

export const settingsRoutes = {
  read: defineRoute({
    id: 'readSettings',
    room: 'settings',
    method: 'GET',
    path: '/admin/settings',
    summary: 'All settings with their newest saved values',
    access: 'settings:read',
    answer: { status: 200, schema: SettingsAnswer },
  }),
  write: defineRoute({
    id: 'writeSettings',
    room: 'settings',
    method: 'PUT',
    path: '/admin/settings',
    summary: 'Change settings, all or none; null brings a default back',
    description:
      'Some settings open more than settings: the caller must hold the permissions in `opens` of each that changes as well, for the whole installation. A secret that is named counts as changed.',
    access: 'settings:write',
    audited: { operation: 'settings.change', target: 'settings' },
    body: ConfigurationWrite,
    answer: { status: 200, schema: ConfigurationWriteResponse },
    refusals: ['invalid_settings', 'folder_not_allowed', 'secrets_elsewhere', 'setting_opens_more', 'stale'],
  }),
  validate: defineRoute({
    id: 'validateSettings',
    room: 'settings',
    method: 'POST',
    path: '/admin/settings/validate',
    summary: 'Try the credentials of a provider without saving them',
    description:
      'Takes providers:write for the whole installation as well. Settings that are left out are taken as saved, except the credentials when the address is another one than the saved: those must then be sent along. Other values than the saved ones take what changing them takes (`opens`).',
    access: 'settings:write',
    body: z.strictObject({ provider: ProviderName, settings: NamedValues.optional() }, { error }),
    answer: { status: 200, schema: z.strictObject({ ok: z.boolean(), detail: z.string() }) },
    refusals: ['invalid_settings', 'setting_opens_more'],
  }),
  revisions: defineRoute({
    id: 'listSettingsRevisions',
    room: 'settings',
    method: 'GET',
    path: '/admin/settings/revisions',
    summary: 'Who changed which settings when, newest first',
    access: 'settings:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(SettingsRevision) },
  }),
  persist: defineRoute({
    id: 'persistSettings',
    room: 'settings',
    method: 'POST',
    path: '/admin/settings/persist',
    summary: 'Write a recovery copy of the settings into the data folder',
    access: 'settings:write',
    answer: { status: 200, schema: z.strictObject({ ok: z.literal(true), file: z.string() }) },
    deprecated: { successor: '/admin/settings', sunset: '2027-04-01T00:00:00.000Z' },
  }),
} as const;
