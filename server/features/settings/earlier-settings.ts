import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import { valueOfText } from '../../platform/setting-text.ts';
import type { Actor } from '../audit/service.ts';
import { sameValue } from './catalog.ts';
import { type CheckParts, checkValue } from './check-value.ts';
import { isRemovedBackend } from './removed-names.ts';
import { type SaveParts, saveRevision, type ValueChange } from './save-changes.ts';
import { newestRevision, storedTexts } from './store.ts';
import type { EarlierSetting, EarlierSettingsPlan } from './types.ts';

const BACKEND = 'FAX_BACKEND';

/**
 * Plans what becomes of the settings of an earlier release, without changing anything. A setting that this installation
 * has saved already stays; where nobody ever chose a provider, it is `formerBackend`, which that release used then.
 */
export async function planEarlierSettings(
  db: ReadDb,
  parts: CheckParts,
  given: readonly EarlierSetting[],
  formerBackend: string,
): Promise<EarlierSettingsPlan> {
  const stored = await storedTexts(db);
  const plan = { changes: [] as ValueChange[], kept: [] as string[], removed: [] as string[] };
  const unknown: string[] = [];
  const unusable: { name: string; problem: string }[] = [];
  const add = (name: string, to: AnyValue) =>
    plan.changes.push({ name, from: parts.catalog.definitionOf(name).default, to });
  for (const { name, formerName, text } of given) {
    if (parts.catalog.isRemoved(name) || parts.catalog.isRemoved(formerName)) plan.removed.push(formerName);
    else if (!parts.catalog.has(name)) unknown.push(formerName);
    else if (name === BACKEND && isRemovedBackend(text)) plan.removed.push(`${formerName}=${text}`);
    else if (stored.has(name)) plan.kept.push(formerName);
    else {
      const definition = parts.catalog.definitionOf(name);
      const checked = checkValue(name, valueOfText(definition, text), parts);
      if (!checked.ok) unusable.push({ name: formerName, problem: checked.problem });
      else if (!sameValue(checked.value, definition.default)) add(name, checked.value);
    }
  }
  const isChosen = stored.has(BACKEND) || given.some(({ name }) => name === BACKEND);
  if (!isChosen) add(BACKEND, formerBackend);
  return { ...plan, unknown, unusable, usesFormerBackend: !isChosen };
}

/** Saves what was planned as one revision; nothing where there is nothing to save. */
export async function saveEarlierSettings(
  tx: WriteTx,
  parts: SaveParts,
  { changes }: Pick<EarlierSettingsPlan, 'changes'>,
  actor: Actor,
): Promise<void> {
  if (changes.length === 0) return;
  const before = await newestRevision(tx);
  await saveRevision(tx, parts, { before, changes: [...changes], actor, operation: 'settings.import' });
}
