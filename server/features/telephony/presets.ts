import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { TrunkPreset } from '../../../shared/api/telephony.ts';

export type Preset = z.infer<typeof TrunkPreset>;

const FILE = new URL('../../../resources/telephony/presets.json', import.meta.url);

const read = (text: string): readonly Preset[] => z.array(TrunkPreset).parse(JSON.parse(text));

/** Returns the carriers whose trunks are set up from a preset, in the order of the file. */
export async function readPresets(): Promise<readonly Preset[]> {
  return read(await readFile(FILE, 'utf8'));
}

/** Returns the problem of the name of a preset; null when the preset exists. */
export function checkPreset(name: string): string | null {
  if (read(readFileSync(FILE, 'utf8')).some((preset) => preset.name === name)) return null;
  return 'There is no preset with that name. Leave it empty to set everything yourself.';
}
