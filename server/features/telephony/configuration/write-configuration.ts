import { join } from 'node:path';
import { writeDurably } from '../../../platform/durable-file.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { badSetup } from '../errors.ts';
import { ConfigurationError } from './line-text.ts';
import { CONFIGURATION_FILES, readTemplates, renderConfiguration } from './render.ts';
import type { LineSetup } from './types.ts';

/** Below the data folder; only its owner reads it, since passwords are in the files. */
export const CONFIGURATION_FOLDER = ['telephony', 'configuration'] as const;
const SCRIPT_MODE = 0o700;

/**
 * Writes the configuration of the engine into the data folder and returns its path. Throws a 409 refusal for a value
 * that the files cannot hold.
 */
export async function writeConfiguration(
  dataFolder: string,
  setup: LineSetup,
): Promise<{ folder: string; files: string[] }> {
  const texts = await rendered(setup);
  const folder = join(dataFolder, ...CONFIGURATION_FOLDER);
  await makeFolder(folder);
  for (const name of CONFIGURATION_FILES)
    await writeDurably(join(folder, name), texts[name], ...(name.endsWith('.sh') ? [SCRIPT_MODE] : []));
  return { folder, files: [...CONFIGURATION_FILES] };
}

async function rendered(setup: LineSetup) {
  try {
    return renderConfiguration(await readTemplates(), setup);
  } catch (error) {
    if (error instanceof ConfigurationError) throw badSetup(error.message);
    throw error;
  }
}
