import type { Backend } from '../../../shared/states.ts';
import {
  definitionOf,
  SETTING_NAMES,
  type SettingName,
  type SettingValues,
  sameValue,
} from './definitions.ts';
import { readChanges } from './read-changes.ts';
import type { Changes, CheckProvider, ValueChecks } from './types.ts';

/** Addresses to which credentials are sent. */
const ADDRESSES: readonly SettingName[] = ['CLOUDONE_API_URL', 'CLOUDTWO_API_URL'];

/** Tries a provider with the saved values and those given for the trial. Throws SettingsInvalidError. */
export async function tryProvider(
  parts: { checks: ValueChecks; checkProvider: CheckProvider; desired: SettingValues },
  request: { provider: Backend; settings: Readonly<Record<string, unknown>> },
): Promise<{ ok: boolean; detail: string }> {
  const { changes } = readChanges({ named: request.settings, namedAt: 'settings' }, parts.checks);
  return await parts.checkProvider(request.provider, trialValues(parts.desired, changes));
}

/** Saved secrets are not sent to an address that is not the saved one: that would give them away unrecorded. */
function trialValues(desired: SettingValues, changes: Changes): SettingValues {
  const wanted = new Map([...changes].map(([name, value]) => [name, value ?? definitionOf(name).default]));
  const elsewhere = ADDRESSES.some(
    (name) => wanted.has(name) && !sameValue(wanted.get(name) ?? null, desired[name]),
  );
  const withheld = elsewhere ? SETTING_NAMES.filter((name) => definitionOf(name).secret) : [];
  return {
    ...desired,
    ...Object.fromEntries(withheld.map((name) => [name, null])),
    ...Object.fromEntries(wanted),
  };
}
