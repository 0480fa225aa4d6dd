import type { ReadDb } from '../../db/database.ts';
import { storedTexts } from './store.ts';

export { createCatalog } from './catalog.ts';
export { readEarlierEnvironment } from './earlier-environment.ts';
export { planEarlierSettings, saveEarlierSettings } from './earlier-settings.ts';
export { loadOrCreate } from './load-settings.ts';

/** The names of the settings that are stored, sorted, read without a gateway; never their values. */
export async function storedNames(db: ReadDb): Promise<string[]> {
  return [...(await storedTexts(db)).keys()].sort();
}
