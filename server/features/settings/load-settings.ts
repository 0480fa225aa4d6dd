import { type Database, isUniqueViolation } from '../../db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../audit/service.ts';
import { type AnyValue, definitionOf, type SettingName } from './definitions.ts';
import { type EnvironmentTexts, settingsOfEnvironment } from './read-environment.ts';
import { type SaveParts, saveRevision } from './save-changes.ts';
import { newestRevision, storedTexts } from './store.ts';
import { valuesOfTexts } from './stored-values.ts';
import type { Revision, ValueChecks } from './types.ts';

export interface LoadParts extends SaveParts {
  readonly db: Database;
  readonly logger: Logger;
  readonly environment: EnvironmentTexts;
  readonly checks: ValueChecks;
  /**
   * False when the data come from a release that kept its settings in the environment. Such an installation used
   * cloudone when it named no provider, and keeps doing so.
   */
  readonly installationIsNew: boolean;
}

export interface Loaded {
  readonly revision: Revision;
  readonly stored: ReadonlyMap<SettingName, AnyValue>;
}

const ENVIRONMENT: Actor = {
  id: null,
  name: 'Environment',
  credentialKind: 'none',
  policyVersion: 0,
  requestId: null,
};

/**
 * The saved settings, or null when none were ever saved. The revision is read before the values: if another process
 * saves in between, the values are newer than the revision says and the next look brings the revision too.
 */
export async function loadSaved(parts: Pick<LoadParts, 'db' | 'seal' | 'logger'>): Promise<Loaded | null> {
  const revision = await newestRevision(parts.db.read);
  if (!revision) return null;
  return { revision, stored: valuesOfTexts(await storedTexts(parts.db.read), parts) };
}

/** The saved settings; at the first start those of the environment become revision 1. */
export async function loadOrBegin(parts: LoadParts): Promise<Loaded> {
  const saved = await loadSaved(parts);
  if (saved) return saved;
  const found = settingsOfEnvironment(parts.environment, 'first start', parts.checks);
  if (!parts.installationIsNew && !found.has('FAX_BACKEND')) found.set('FAX_BACKEND', 'cloudone');
  const changes = [...found].map(([name, to]) => ({ name, from: definitionOf(name).default, to }));
  try {
    const revision = await parts.db.transaction((tx) =>
      saveRevision(tx, parts, { before: null, changes, actor: ENVIRONMENT, operation: 'settings.import' }),
    );
    if (found.size > 0)
      parts.logger.info({ names: [...found.keys()] }, 'the settings of the environment were taken over');
    return { revision, stored: found };
  } catch (error) {
    const other = isUniqueViolation(error) ? await loadSaved(parts) : null;
    if (other) return other;
    throw error;
  }
}
