import { defaultValues } from './definitions.ts';
import type { Settings, SettingValues } from './types.ts';

/** Settings with the given values and the defaults of the others, which never change: for tests and commands. */
export function fixedSettings(overrides: Partial<SettingValues> = {}): Settings {
  const values: SettingValues = { ...defaultValues(), ...overrides };
  return {
    get: (name) => values[name],
    snapshot: () => ({ values, revisionId: 'fixed', generation: 1 }),
    onChange: () => () => undefined,
  };
}
