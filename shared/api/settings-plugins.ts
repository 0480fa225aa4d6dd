import { z } from 'zod';
import { DEPRECATIONS } from '../deprecations.ts';
import { defineRoute } from './route.ts';
import { NamedValues, RevisionId } from './settings.ts';
import { BackendName } from './values.ts';

const room = 'settings';
const deprecated = DEPRECATIONS.plugins;
const PluginParams = z.strictObject({ id: BackendName });

const PluginConfig = z
  .strictObject({
    enabled: z.boolean().describe('true for the provider that sends'),
    settings: NamedValues.describe('values by the name of the setting; null for a secret'),
  })
  .meta({ id: 'PluginConfig' });

/** Routes of earlier releases over the built-in providers. */
export const pluginRoutes = {
  list: defineRoute({
    id: 'listPlugins',
    room,
    method: 'GET',
    path: '/plugins',
    summary: 'List the fax providers',
    access: 'providers:read',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          items: z.array(
            z.strictObject({
              id: BackendName,
              name: z.string(),
              version: z.string(),
              categories: z.array(z.enum(['outbound', 'inbound'])),
              capabilities: z.array(z.enum(['send', 'receive', 'check'])),
              enabled: z.boolean().describe('true for the provider that sends'),
              configurable: z.literal(true),
            }),
          ),
        })
        .meta({ id: 'Plugins' }),
    },
    deprecated,
  }),
  read: defineRoute({
    id: 'readPluginConfig',
    room,
    method: 'GET',
    path: '/plugins/:id/config',
    summary: 'Get the settings of a fax provider',
    access: 'providers:read',
    params: PluginParams,
    answer: { status: 200, schema: PluginConfig },
    refusals: ['no_such_provider'],
    deprecated,
  }),
  write: defineRoute({
    id: 'writePluginConfig',
    room,
    method: 'PUT',
    path: '/plugins/:id/config',
    summary: 'Change the settings of a fax provider, and whether it sends',
    description: 'Also requires `settings:write` and the permissions in `opens` of each changed setting.',
    access: 'providers:write',
    audited: { operation: 'settings.change', target: 'settings' },
    params: PluginParams,
    body: z
      .strictObject({
        enabled: z.boolean().optional(),
        role: z
          .enum(['outbound', 'inbound'])
          .nullish()
          .describe(
            'what `enabled` is about: sending (`outbound`, also if left out), or receiving. All providers receive at once: with `inbound`, true turns receiving on and false changes nothing (`INBOUND_ENABLED`)',
          ),
        settings: NamedValues.optional(),
        expected_revision_id: RevisionId.nullish(),
      })
      .meta({ id: 'PluginConfigWrite' }),
    answer: { status: 200, schema: PluginConfig },
    refusals: [
      'no_such_provider',
      'not_allowed',
      'invalid_settings',
      'folder_not_allowed',
      'secrets_elsewhere',
      'setting_opens_more',
      'stale',
    ],
    deprecated,
  }),
} as const;
