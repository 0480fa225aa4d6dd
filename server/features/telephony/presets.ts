import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { TrunkPreset } from '../../../shared/api/telephony.ts';

export type Preset = z.infer<typeof TrunkPreset>;

const FILE = new URL('../../../resources/telephony/presets.json', import.meta.url);

/** The carriers whose trunks are set up from a preset, in the order of the file. */
export async function readPresets(): Promise<readonly Preset[]> {
  return z.array(TrunkPreset).parse(JSON.parse(await readFile(FILE, 'utf8')));
}
