import { type Database, isUniqueViolation, type WriteTx } from '../../db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { Actor } from '../audit/service.ts';
import { type PathParts, refuseFolders } from './allowed-paths.ts';
import { sameValue } from './catalog.ts';
import type { CheckParts } from './check-value.ts';
import { SettingsInvalidError, SettingsStaleError } from './errors.ts';
import type { LoadedSettings } from './load-settings.ts';
import type { OfficeLimits } from './office-limits.ts';
import { type ChangesInput, type ParsedChanges, readChanges } from './read-changes.ts';
import { type Opener, refuseOpening } from './refuse-opening.ts';
import { type SaveParts, saveRevision, type ValueChange } from './save-changes.ts';
import { refuseSecretsElsewhere } from './secrets-elsewhere.ts';
import type { SettingsState } from './settings-state.ts';
import { newestRevision, storedTexts } from './store.ts';
import { valuesOfTexts } from './stored-values.ts';

export interface ChangeParts extends SaveParts, CheckParts, PathParts {
  readonly db: Database;
  readonly logger: Logger;
  readonly state: SettingsState;
  readonly limits: OfficeLimits;
  /** Called after the commit with what is saved now. */
  adopt(loaded: LoadedSettings): void;
}

export interface ChangeRequest extends ChangesInput {
  readonly expectedRevisionId?: string | undefined;
  readonly actor: Actor & Opener;
}

const TRIES = 3;

/** Saves all changes in one transaction, or none. Returns true when anything changed. */
export async function changeSettings(parts: ChangeParts, request: ChangeRequest): Promise<boolean> {
  const read = readChanges(request, parts);
  refuseFolders(parts, read.changes);
  if (read.ignored.length > 0)
    parts.logger.warn({ names: read.ignored }, 'settings of removed parts were sent and are ignored');
  for (let tried = 1; ; tried += 1) {
    try {
      return await parts.db.transaction((tx) => changeOnce(tx, parts, read, request));
    } catch (error) {
      // Another process saved first: the next try reads its revision, and refuses a caller who named an older one.
      if (tried >= TRIES || !isUniqueViolation(error)) throw error;
    }
  }
}

async function changeOnce(
  tx: WriteTx,
  parts: ChangeParts,
  read: ParsedChanges,
  request: ChangeRequest,
): Promise<boolean> {
  const before = await newestRevision(tx);
  const { expectedRevisionId, actor } = request;
  if (expectedRevisionId !== undefined && expectedRevisionId !== before?.id) throw new SettingsStaleError();
  const { stored, unreadable } = valuesOfTexts(await storedTexts(tx), parts);
  const present = parts.state.desiredWith(stored);
  refuseOpening(parts.catalog, read.changes, { present, opener: actor });
  refuseSecretsElsewhere(parts.catalog, read.changes, { present, unreadable });
  const changes = differences(parts, { present, unreadable }, read);
  if (changes.length === 0) return false;
  const revision = await saveRevision(tx, parts, { before, changes, actor, operation: 'settings.change' });
  for (const { name, to } of changes) {
    unreadable.delete(name);
    if (to === null) stored.delete(name);
    else stored.set(name, to);
  }
  parts.db.onCommit(tx, () => parts.adopt({ revision, stored, unreadable }));
  return true;
}

/**
 * Returns the effective changes. What the environment sets or the office does not allow cannot be saved here: saving it without
 * effect would look like success.
 */
function differences(
  { state, catalog, limits }: ChangeParts,
  { present, unreadable }: { present: Readonly<Record<string, AnyValue>>; unreadable: ReadonlySet<string> },
  read: ParsedChanges,
): ValueChange[] {
  const changes: ValueChange[] = [];
  const refused: { name: string; type: string }[] = [];
  for (const [name, to] of read.changes) {
    const wanted = to ?? catalog.definitionOf(name).default;
    const from = present[name] ?? null;
    if (sameValue(wanted, from) && !unreadable.has(name)) continue;
    if (!limits.allows(name, wanted)) refused.push({ name, type: 'set_by_office' });
    else if (state.isFromEnvironment(name)) refused.push({ name, type: 'set_by_environment' });
    else changes.push({ name, from, to });
  }
  if (refused.length === 0) return changes;
  throw new SettingsInvalidError(
    refused.map(({ name, type }) => ({ at: read.paths.get(name) ?? [name], type })),
  );
}
