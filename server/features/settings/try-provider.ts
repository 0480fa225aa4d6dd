import { assertMayOpen } from '../../platform/may-open.ts';
import { type SettingsCatalog, sameValue } from './catalog.ts';
import type { CheckParts } from './check-value.ts';
import type { SettingValues } from './definitions.ts';
import { SettingsInvalidError } from './errors.ts';
import { readChanges } from './read-changes.ts';
import { type Opener, refuseOpening } from './refuse-opening.ts';
import type { SettingsState } from './settings-state.ts';
import type { Changes, CheckProvider } from './types.ts';

export interface TrialRequest {
  readonly provider: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whoever tries it; what they may not change they may not try either. */
  readonly opener: Opener;
}

/** Tries a provider with the saved values and those given for the trial. Throws SettingsInvalidError and a 403 refusal. */
export async function tryProvider(
  parts: CheckParts & { checkProvider: CheckProvider; state: SettingsState },
  request: TrialRequest,
): Promise<{ ok: boolean; detail: string }> {
  if (!parts.catalog.backends.includes(request.provider))
    throw new SettingsInvalidError([{ at: ['provider'], type: 'invalid_value' }]);
  assertMayOpen(request.opener, ['providers:write'], 'To test a provider');
  const { changes } = readChanges({ named: request.settings, namedKey: 'settings' }, parts);
  refuseOpening(parts.catalog, changes, { present: parts.state.desired, opener: request.opener });
  return await parts.checkProvider(request.provider, trialValues(parts, changes));
}

/** Saved secrets are not sent to an address that is not the saved one: that would give them away unrecorded. */
function trialValues(
  { catalog, state }: { catalog: SettingsCatalog; state: SettingsState },
  changes: Changes,
): SettingValues {
  const wanted = new Map(
    [...changes].map(([name, value]) => [name, value ?? catalog.definitionOf(name).default]),
  );
  const addresses = catalog.providers.flatMap((provider) => Object.keys(provider.addresses));
  const elsewhere = addresses.some(
    (name) => wanted.has(name) && !sameValue(wanted.get(name) ?? null, state.desiredValue(name)),
  );
  const withheld = elsewhere ? catalog.names.filter((name) => catalog.definitionOf(name).secret) : [];
  return {
    ...state.desired,
    ...Object.fromEntries(withheld.map((name) => [name, null])),
    ...Object.fromEntries(wanted),
  };
}
