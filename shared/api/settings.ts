import { z } from 'zod';
import { DEPRECATIONS } from '../deprecations.ts';
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
export const RevisionId = z
  .string({ error })
  .min(1, { error })
  .max(40, { error })
  .regex(/^[ -~]+$/u, { error });
const ProviderName = z.string({ error }).max(40, { error }).describe('a value of FAX_BACKEND');
export const NamedValues = z.record(z.string(), SettingJson, { error });

export const ConfigurationMeta = z
  .strictObject({
    active_revision_id: RevisionId.describe('The newest revision that is fully applied'),
    desired_revision_id: RevisionId.describe('The newest saved revision'),
    generation: z.int().min(1).describe('The generation of the active revision'),
    apply_state: z.enum(['applied', 'pending_restart']),
    restart_recommended: z.boolean(),
  })
  .meta({ id: 'ConfigurationMeta', description: 'revision of the settings, and whether it is in force' });

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
  source: z.enum(['office', 'environment', 'stored', 'default']),
  secret: z.boolean(),
  needs_restart: z.boolean(),
  opens: z
    .array(z.enum(ALL_PERMISSIONS))
    .describe(
      'permissions required to change it, in addition to settings:write; each for the whole installation',
    ),
  group: z.string(),
  label: z.string(),
  help: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'choice', 'list', 'secret']),
  choices: z.array(z.string()).nullable(),
  format: z.enum(SETTING_FORMATS).nullable().describe('format of a text, or of each entry of a list'),
  least: z.int().nullable().describe('smallest value of a number'),
  most: z.int().nullable().describe('largest value of a number, or maximum length of a text'),
  rule: z
    .strictObject({
      pattern: z.string().describe('JavaScript regular expression with the flag u'),
      sentence: z.string().describe('sentence for people if the text is not valid'),
    })
    .nullable()
    .describe('rule for a text, or for each entry of a list, if the format does not include it'),
  warning: z.string().nullable().describe('warning about the effects of this value'),
});

/** Provider that can be chosen, with everything needed to draw its form. */
export const ProviderAnswer = z.strictObject({
  backend: BackendName,
  name: z.string().describe('display name'),
  help: z.string().describe('sentence to help people choose a provider'),
  settings: z.array(z.string()).describe('names of its settings'),
  essentials: z.array(z.string()).describe('settings that someone with an account enters'),
  optional: z
    .array(z.string())
    .describe('essential settings that can stay empty: they only verify the source of messages'),
  header_own_form: z
    .array(z.enum(HEADER_OWN_FORMS))
    .describe('parts of the header line that the provider prints in its own format'),
  notification_problem: z
    .strictObject({ title: z.string(), sentence: z.string(), action: z.string() })
    .nullable()
    .describe(
      'reason why its notifications of received faxes cannot be verified, as a sentence; null if they can',
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
    summary: 'List all settings with their newest saved values',
    access: 'settings:read',
    answer: { status: 200, schema: SettingsAnswer },
  }),
  write: defineRoute({
    id: 'writeSettings',
    room: 'settings',
    method: 'PUT',
    path: '/admin/settings',
    summary: 'Change settings, all or none; null resets a setting to its default',
    description:
      'Some settings need more permissions: the caller must also have the permissions in `opens` of each changed setting, for the whole installation. A secret that is sent counts as changed.',
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
      'Also requires providers:write for the whole installation. Saved values are used for settings that are left out. If the address differs from the saved one, send the credentials as well. Values that differ from the saved ones require the permissions to change them (`opens`).',
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
    summary: 'List the changes to settings, newest first',
    access: 'settings:read',
    query: z.strictObject({ limit: ListLimit, cursor: Cursor.optional() }),
    answer: { status: 200, schema: pageOf(SettingsRevision) },
  }),
  persist: defineRoute({
    id: 'persistSettings',
    room: 'settings',
    method: 'POST',
    path: '/admin/settings/persist',
    summary: 'Write a recovery copy of the settings to the data folder',
    access: 'settings:write',
    answer: { status: 200, schema: z.strictObject({ ok: z.literal(true), file: z.string() }) },
    deprecated: DEPRECATIONS.settings_copy,
  }),
} as const;
