import { pluginRoutes as routes } from '../../../shared/api/settings-plugins.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { RefusalError } from '../../platform/errors.ts';
import { actorOf } from '../access/service.ts';
import { SettingsInvalidError } from './errors.ts';
import { answerSetting, withFields } from './routes-answers.ts';
import type { SettingsService } from './service.ts';
import type { ShownProvider } from './types.ts';

const SENDING = 'FAX_BACKEND';
const RECEIVING = 'INBOUND_ENABLED';

/** Routes of earlier releases over the built-in providers; `release` is the version of each. */
export function pluginServedRoutes(settings: SettingsService, release: string): ServedRoute[] {
  return [
    serve(routes.list, async () => {
      await settings.refresh();
      return {
        items: settings.providers().map((provider) => ({
          id: provider.backend,
          name: provider.displayName,
          version: release,
          categories: ['outbound' as const, 'inbound' as const],
          capabilities: ['send' as const, 'receive' as const, 'check' as const],
          enabled: isEnabled(settings, provider.backend),
          configurable: true as const,
        })),
      };
    }),
    serve(routes.read, async ({ params }) => {
      await settings.refresh();
      return configOf(settings, providerOf(settings, params.id));
    }),
    serve(routes.write, async ({ params, body, caller }) => {
      if (!caller.holds('settings:write')) throw new RefusalError('not_allowed');
      await settings.refresh();
      const provider = providerOf(settings, params.id);
      await withFields(async () =>
        settings.change({
          named: {
            ...ofProvider(provider, body.settings ?? {}),
            ...(body.role === 'inbound'
              ? receivingChange(body.enabled)
              : sendingChange(settings, params.id, body.enabled)),
          },
          namedKey: 'settings',
          expectedRevisionId: body.expected_revision_id ?? undefined,
          actor: actorOf(caller),
        }),
      );
      await settings.refresh();
      return configOf(settings, provider);
    }),
  ];
}

function providerOf(settings: SettingsService, id: string): ShownProvider {
  const found = settings.providers().find(({ backend }) => backend === id);
  if (!found) throw new RefusalError('no_such_provider');
  return found;
}

/** Returns the values by the name of the setting. Throws for a setting of another part. */
function ofProvider(
  { settings: own }: ShownProvider,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const foreign = Object.keys(given).filter((name) => !Object.hasOwn(own, name.toUpperCase()));
  if (foreign.length > 0)
    throw new SettingsInvalidError(
      foreign.map((name) => ({ at: ['settings', name], type: 'unrecognized_keys' as const })),
    );
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toUpperCase(), value]));
}

/** Enabled means that it sends; disabling another one than the one that sends changes nothing. */
function sendingChange(
  settings: SettingsService,
  id: string,
  enabled: boolean | undefined,
): Record<string, unknown> {
  if (enabled === undefined || enabled === isEnabled(settings, id)) return {};
  return { [SENDING]: enabled ? id : null };
}

/** All providers receive at once: disabling one of them changes nothing for the others. */
const receivingChange = (isOn: boolean | undefined): Record<string, unknown> =>
  isOn === true ? { [RECEIVING]: true } : {};

function isEnabled(settings: SettingsService, id: string): boolean {
  return settings.list().some(({ name, value }) => name === SENDING && value === id);
}

function configOf(settings: SettingsService, { backend, settings: own }: ShownProvider) {
  const shown = settings.list().filter(({ name }) => Object.hasOwn(own, name));
  return {
    enabled: isEnabled(settings, backend),
    settings: Object.fromEntries(shown.map(answerSetting).map(({ name, value }) => [name, value])),
  };
}
