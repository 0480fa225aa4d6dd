import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createEsclScanners } from '../adapters/scanners/escl.ts';
import { RELEASE } from '../config/release.ts';
import type { HttpsService } from '../features/https/service.ts';
import { createKeyedHash } from '../platform/hash.ts';
import { urlHost } from '../platform/url-host.ts';
import type { Dependencies, Foundation } from './dependencies.ts';
import { requestSettings } from './request-settings.ts';

/** In the repository as in the packaged application. */
const ICON = fileURLToPath(new URL('../../resources/icons/app/128x128.png', import.meta.url));

/** Returns the parts of print to fax that are no rooms. */
export function printingParts(
  { callerLimits, common, hashSecret }: Pick<Dependencies, 'callerLimits' | 'common' | 'hashSecret'>,
  { listening }: Pick<Foundation, 'listening'>,
  https: { readonly service: HttpsService },
) {
  return {
    https: https.service,
    connections: callerLimits.connections,
    maxFileBytes: requestSettings(common.settings).maxUploadBytes,
    release: RELEASE,
    hashPassword: createKeyedHash(hashSecret, 'print passwords'),
    icon: () => readFile(ICON),
    consoleUrl() {
      const { host, port } = listening();
      return `http://${urlHost(host)}:${port}/admin/ui/`;
    },
  };
}

/** Returns the parts of scan to fax that are no rooms. */
export function scanningParts({ common, faxDependencies }: Pick<Dependencies, 'common' | 'faxDependencies'>) {
  const { clock, logger, settings, storage, dataFolder } = { ...common, ...faxDependencies };
  return {
    clock,
    logger,
    settings,
    storage,
    dataFolder,
    scanners: createEsclScanners(),
    maxFileBytes: requestSettings(settings).maxUploadBytes,
  };
}
