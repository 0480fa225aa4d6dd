import { type Database, isUniqueViolation } from '../../db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { Actor } from '../audit/service.ts';
import type { CheckParts } from './check-value.ts';
import { type EnvironmentTexts, settingsOfEnvironment } from './read-environment.ts';
import { type SaveParts, saveRevision } from './save-changes.ts';
import { newestRevision, storedTexts } from './store.ts';
import { valuesOfTexts } from './stored-values.ts';
import type { Revision } from './types.ts';

export interface LoadParts extends SaveParts, CheckParts {
  readonly db: Database;
  readonly logger: Logger;
  readonly environment: EnvironmentTexts;
  /**
   * Provider that a release with its settings in the environment used by default. It is imported for data of such a
   * release whose environment names no provider. Null for a new installation, which begins without one.
   */
  readonly formerDefaultBackend: string | null;
}

export interface LoadedSettings {
  readonly revision: Revision;
  readonly stored: ReadonlyMap<string, AnyValue>;
  /** Names of the secrets that the current data key does not open. */
  readonly unreadable: ReadonlySet<string>;
}

const ENVIRONMENT: Actor = {
  id: null,
  name: 'Environment',
  credentialKind: 'none',
  policyVersion: 0,
  requestId: null,
};

/**
 * Loads the saved settings; null when none were ever saved. The revision is read before the values. If another process
 * saves in between, the values are newer than the revision, and the next check loads the newer revision as well.
 */
export async function loadSaved(
  parts: Pick<LoadParts, 'db' | 'seal' | 'logger' | 'catalog'>,
): Promise<LoadedSettings | null> {
  const revision = await newestRevision(parts.db.read);
  if (!revision) return null;
  return { revision, ...valuesOfTexts(await storedTexts(parts.db.read), parts) };
}

/** Loads the saved settings. At the first start it saves those of the environment as revision 1. */
export async function loadOrCreate(parts: LoadParts): Promise<LoadedSettings> {
  const saved = await loadSaved(parts);
  if (saved) return saved;
  const found = settingsOfEnvironment(parts.environment, 'first start', parts);
  const { formerDefaultBackend, catalog } = parts;
  if (formerDefaultBackend !== null && !found.has('FAX_BACKEND'))
    found.set('FAX_BACKEND', formerDefaultBackend);
  const changes = [...found].map(([name, to]) => ({ name, from: catalog.definitionOf(name).default, to }));
  try {
    const revision = await parts.db.transaction((tx) =>
      saveRevision(tx, parts, { before: null, changes, actor: ENVIRONMENT, operation: 'settings.import' }),
    );
    if (found.size > 0)
      parts.logger.info({ names: [...found.keys()] }, 'the settings of the environment were taken over');
    return { revision, stored: found, unreadable: new Set() };
  } catch (error) {
    const other = isUniqueViolation(error) ? await loadSaved(parts) : null;
    if (other) return other;
    throw error;
  }
}
