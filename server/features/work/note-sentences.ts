import type { z } from 'zod';
import type { WorkNotes } from '../../../shared/api/work-shapes.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { isoTime } from '../../platform/clock.ts';
import { type Caller, visibleTo } from '../access/service.ts';
import type { WorkParts } from './parts.ts';
import { rangesOf } from './store/list-key.ts';
import { listItems } from './store/list-store.ts';
import type { ItemRow } from './types.ts';
import { JUNK_NOTE } from './work-state.ts';

const SPAN_MS = 28 * 24 * 3_600_000;
/** Newest finished items that are read: a month of a busy desk. */
const MAX_READ = 1_000;
/** A note used once may name a patient, so it is not offered to others. */
const LEAST_USES = 2;

/**
 * Returns the sentences that were used most for finished items which the caller may see, then those of the setting, and
 * the caller's own last note.
 */
export async function noteSentences(parts: WorkParts, caller: Caller): Promise<z.infer<typeof WorkNotes>> {
  const filter = { scope: visibleTo(caller, 'work:read'), ranges: rangesOf(['done']), limit: MAX_READ };
  const since = isoTime(parts.clock.now() - SPAN_MS);
  const { items } = await listItems(parts.db.read, filter);
  const recent = items
    .filter(({ done_at, done_note, is_test }) => {
      const isRecent = done_at !== null && done_at >= since;
      return isRecent && is_test === 0 && done_note !== JUNK_NOTE;
    })
    .sort((a, b) => ((a.done_at ?? '') < (b.done_at ?? '') ? 1 : -1));
  const own = recent.find(({ done_by }) => done_by === caller.principal.id);
  return {
    sentences: eachOnce([...mostUsed(recent), ...parts.settings.notes()]).slice(0, LIMITS.noteSentences),
    last: own?.done_note ?? null,
  };
}

/** Newest first where two were used equally often. */
function mostUsed(recent: readonly Pick<ItemRow, 'done_note'>[]): string[] {
  const uses = Map.groupBy(
    recent.flatMap(({ done_note }) => done_note ?? []),
    keyOf,
  );
  return [...uses.values()]
    .filter((notes) => notes.length >= LEAST_USES)
    .sort((a, b) => b.length - a.length)
    .flatMap(([newest]) => newest ?? []);
}

function eachOnce(sentences: readonly string[]): string[] {
  const seen = new Set<string>();
  return sentences.filter((sentence) => !seen.has(keyOf(sentence)) && seen.add(keyOf(sentence)));
}

/** "Filed in the chart." and "filed in the chart" are one sentence. */
const keyOf = (note: string): string =>
  note
    .trim()
    .replace(/[.\s]+$/u, '')
    .toLocaleLowerCase('en');
