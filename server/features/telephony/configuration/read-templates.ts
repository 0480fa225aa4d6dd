import { readFile } from 'node:fs/promises';
import { CONFIGURATION_FILES, type ConfigurationTexts } from './render.ts';

const FOLDER = new URL('../../../../resources/telephony/templates/', import.meta.url);

/** The templates that ship with the gateway. */
export async function readTemplates(): Promise<ConfigurationTexts> {
  const entries = CONFIGURATION_FILES.map(
    async (name) => [name, await readFile(new URL(name, FOLDER), 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as ConfigurationTexts;
}
