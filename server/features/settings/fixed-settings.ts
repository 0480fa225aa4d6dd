import { createCatalog } from './catalog.ts';
import type { Settings, SettingValues } from './types.ts';

/** The gateway's own settings with the given values and the defaults of the others, which never change: for tests and commands. */
export function fixedSettings(overrides: Partial<SettingValues> = {}): Settings {
  const values: SettingValues = { ...createCatalog([]).defaults(), ...overrides };
  return {
    get: (name) => values[name],
    snapshot: () => ({ values, revisionId: 'fixed', generation: 1 }),
    pathOf: () => null,
    onChange: () => () => undefined,
  };
}
