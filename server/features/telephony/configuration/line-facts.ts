import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { TelephonyLine } from '../../../../shared/api/telephony.ts';
import { errorCode } from '../../../platform/errors.ts';
import { urlHost } from '../../../platform/url-host.ts';
import type { TelephonyParts } from '../parts.ts';
import { setupOrProblem } from './line-setup.ts';
import { fingerprintOf } from './render.ts';
import type { LineSetup } from './types.ts';
import { CONFIGURATION_FOLDER } from './write-configuration.ts';

/** Returns the status of the line's setup, and whether its configuration was written from the present settings. */
export async function lineFacts(parts: TelephonyParts): Promise<z.infer<typeof TelephonyLine>> {
  const { setup, missing } = await setupOrProblem(parts);
  const folder = join(parts.dataFolder, ...CONFIGURATION_FOLDER);
  return {
    problem: setup === null ? missing : null,
    data_folder: parts.dataFolder,
    engine_folder: engineFolder(parts),
    gateway_url: gatewayUrl(parts),
    platform: process.platform,
    configuration: { folder, ...(await writtenIn(folder, setup)) },
  };
}

/** Returns the address of the gateway on its own computer. */
export function gatewayUrl({ listening }: Pick<TelephonyParts, 'listening'>): string {
  const { host, port } = listening();
  return `http://${urlHost(host)}:${port}`;
}

function engineFolder({ settings, dataFolder }: TelephonyParts): string | null {
  const folder = settings.line()['TELEPHONY_ENGINE_FOLDER'] ?? dataFolder;
  return typeof folder === 'string' && folder.startsWith('/') ? folder : null;
}

async function writtenIn(
  folder: string,
  setup: LineSetup | null,
): Promise<{ written_at: string | null; is_current: boolean }> {
  const path = join(folder, 'extensions.conf');
  try {
    const text = await readFile(path, 'utf8');
    return {
      written_at: (await stat(path)).mtime.toISOString(),
      is_current: setup !== null && text.includes(`\nFAXDESK_CONFIGURATION=${fingerprintOf(setup)}\n`),
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { written_at: null, is_current: false };
    throw error;
  }
}
