import { TelephonyRefusalError } from '../errors.ts';
import { LINE_SETTINGS } from '../line-settings.ts';
import type { TelephonyParts } from '../parts.ts';
import { readPresets } from '../presets.ts';
import { type CompleteRequest, setupOfSettings } from './setup-of-settings.ts';
import type { LineSetup } from './types.ts';

/** Returns the setup of the line by the settings in force. Throws a 409 refusal that names what is missing. */
export async function lineSetup(
  { settings, dataFolder }: Pick<TelephonyParts, 'settings' | 'dataFolder'>,
  order: CompleteRequest,
): Promise<LineSetup> {
  const line = LINE_SETTINGS.parse(settings.line());
  const preset = (await readPresets()).find(({ name }) => name === line.TRUNK_PRESET);
  const context = {
    dataFolder,
    ownNumber: settings.ownNumber(),
    sources: preset?.sources.value ?? [],
  };
  return setupOfSettings(line, context, order);
}

/** Returns the setup of the line, or a sentence that says what is missing. */
export async function setupOrProblem(
  parts: Pick<TelephonyParts, 'settings' | 'dataFolder'>,
): Promise<{ setup: LineSetup; missing: '' } | { setup: null; missing: string }> {
  try {
    return { setup: await lineSetup(parts, { gateway_url: '' }), missing: '' };
  } catch (error) {
    if (error instanceof TelephonyRefusalError) return { setup: null, missing: error.publicMessage };
    throw error;
  }
}
