/** @deprecated remove in 0.3.0: the settings live in the database, and a backup holds them. */
import { join } from 'node:path';
import { writeDurably } from '../../platform/durable-file.ts';
import type { Seal } from '../../platform/seal.ts';
import type { SettingsCatalog } from './catalog.ts';
import type { SettingsState } from './settings-state.ts';
import { textOfValue } from './stored-values.ts';

const FILE = 'settings-recovery.json';

/** Writes the saved settings into the data folder, secrets sealed, and returns the name of the file. */
export async function writeRecoveryCopy(parts: {
  state: SettingsState;
  catalog: SettingsCatalog;
  seal: Seal;
  dataFolder: string;
}): Promise<string> {
  const { state, catalog } = parts;
  const { desired } = state.applyState;
  const saved = catalog.names.filter((name) => state.sourceOf(name) === 'stored');
  const settings = saved.map((name) => {
    const value = state.desiredValue(name);
    return [name, catalog.definitionOf(name).secret ? { sealed: textOfValue(name, value, parts) } : value];
  });
  const copy = {
    revision_id: desired.id,
    generation: desired.generation,
    settings: Object.fromEntries(settings),
  };
  await writeDurably(join(parts.dataFolder, FILE), `${JSON.stringify(copy, null, 2)}\n`);
  return FILE;
}
