import type { ReadDb } from '../../db/database.ts';
import { storedTexts } from './store.ts';

export { createCatalog } from './catalog.ts';
export { readEarlierEnvironment } from './earlier-environment.ts';
export { planEarlierSettings, saveEarlierSettings } from './earlier-settings.ts';
export { storedKeyProof } from './key-proof.ts';
export { loadOrCreate } from './load-settings.ts';

/** The names of the settings that are stored, sorted, read without a gateway; never their values. */
export async function storedNames(db: ReadDb): Promise<string[]> {
  return [...(await storedTexts(db)).keys()].sort();
}

/** Returns the stored values that are no secrets, by name, read without a gateway. */
export async function storedValues(db: ReadDb): Promise<Map<string, unknown>> {
  return new Map(
    [...(await storedTexts(db))].flatMap(([name, text]) => {
      const value = parsed(text);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Returns undefined for a sealed text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
