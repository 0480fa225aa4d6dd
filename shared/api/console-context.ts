import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { CurrentPolicyVersion, PermissionName } from './access-values.ts';
import { defineRoute } from './route.ts';
import { Id } from './values.ts';

export const LOGO_PATH = '/admin/ui/logo.svg';

export const ConsoleContextResponse = z
  .strictObject({
    policy_version: CurrentPolicyVersion,
    active_revision_id: z.string(),
    generation: z.number().int(),
    permissions: z.array(PermissionName),
    anywhere: z
      .array(PermissionName)
      .optional()
      .describe('permissions for faxes, documents and work that the caller has on at least one resource'),
    navigation: z.strictObject({
      jobs: z.boolean(),
      inbox: z.boolean(),
      send: z.boolean(),
      work: z.boolean().default(false),
    }),
    send: z
      .strictObject({
        fax_disabled: z.boolean(),
        max_file_size_mb: z.number().int(),
        default_country: z.string(),
        number_example: z.string(),
        by_line: z.boolean().describe('true if faxes are sent by a call over the phone line'),
        mailboxes: z
          .array(z.strictObject({ id: Id, label: z.string() }))
          .optional()
          .describe(
            `mailboxes that the caller can send for, by label, at most ${LIMITS.mailboxChoices}; with fax:send on the installation, none is required`,
          ),
      })
      .nullable()
      .describe('null for callers without fax:send'),
    about: z
      .strictObject({
        reference_label: z.string().describe('word of the office for the reference (`REFERENCE_LABEL`)'),
        document_types: z.array(z.string()).describe('types that the office offers (`DOCUMENT_TYPES`)'),
      })
      .default({ reference_label: 'Reference', document_types: [] })
      .describe('words for subject, reference and type of a fax'),
    inbound_enabled: z.boolean().nullable().describe('null for callers without inbound:list'),
    branding: z.strictObject({ docs_base: z.string(), logo_path: z.literal(LOGO_PATH) }),
    provider_view: z
      .strictObject({
        plugins_enabled: z.boolean(),
        install_enabled: z.boolean(),
        active_outbound: z.string(),
        active_inbound: z.string(),
        extra_routes: z.array(z.string()).default([]).describe('names of the enabled delivery routes'),
        trunk_preset: z.string().default('').describe('TRUNK_PRESET; empty if not set'),
      })
      .nullable()
      .describe('null for callers without providers:read'),
    test_faxes: z
      .boolean()
      .optional()
      .describe('true if there is or was a test key, and so can be test faxes'),
    provider_names: z.record(z.string(), z.string()).default({}).optional(),
  })
  .meta({ id: 'ConsoleContextResponse' });

export const contextRoute = defineRoute({
  id: 'getContext',
  room: 'console',
  method: 'GET',
  path: '/auth/context',
  summary: 'Get the data that the console needs for this caller',
  access: 'signed-in',
  answer: { status: 200, schema: ConsoleContextResponse },
});
