import type { ReadDb } from '../../db/database.ts';
import { storedTexts } from './store.ts';

/** The names of the settings that are stored, sorted, read without a gateway; never their values. */
export async function storedNames(db: ReadDb): Promise<string[]> {
  return [...(await storedTexts(db)).keys()].sort();
}
