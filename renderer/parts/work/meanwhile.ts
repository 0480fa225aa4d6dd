import type { z } from 'zod';
import type { WorkHistory } from '../../../shared/api/work-shapes.ts';
import { client } from '../../api/client.ts';
import { isStatus } from '../../api/sentence.ts';
import { refetchItem, storeItem, type WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatSpoken } from '../../ui/format.ts';
import { type Act, isReadyFor } from './acts.ts';

type HistoryEvent = z.infer<typeof WorkHistory>['events'][number];

/** Changes of items by others between the moment a person saw them and the refusal of their own. */
export interface Meanwhile {
  /** "Rita took this fax at 12:11 PM." */
  readonly sentence: string;
  /** The items as they are now, for doing it all the same; null when that is not possible any more. */
  readonly fresh: readonly WorkItem[] | null;
}

/** Most changes named; earlier ones are in the history. */
const MOST_NAMED = 2;

/** Returns the changes of the items since the person saw them; null when there are none, or when it cannot be read. */
export async function whatHappened(
  action: { readonly act: Act; readonly items: readonly WorkItem[]; readonly names: readonly string[] },
  error: unknown,
): Promise<Meanwhile | null> {
  if (!isStatus(error, 400, 403, 404, 409)) return null;
  const { act, items, names } = action;
  const fresh: WorkItem[] = [];
  const sentences: string[] = [];
  for (const [index, item] of items.entries()) {
    const now = await readNow(item);
    if (now === null) return null;
    if (now.item) fresh.push(now.item);
    if (now.sentence === null) continue;
    const isOnly = items.length === 1;
    sentences.push(isOnly ? now.sentence : t.work.about(names[index] ?? '', now.sentence));
  }
  if (sentences.length === 0) return null;
  const canStill = fresh.length === items.length && fresh.every((item) => isReadyFor(act.kind, item));
  return { sentence: sentences.join(' '), fresh: canStill ? fresh : null };
}

async function readNow(seen: WorkItem): Promise<{ item: WorkItem | null; sentence: string | null } | null> {
  try {
    const sentence = await sinceSeen(seen);
    const {
      owner_can_see: _owner,
      notes: _notes,
      ...item
    } = await client.work.getWork({ params: { id: seen.id } });
    storeItem(item);
    return { item, sentence };
  } catch (error) {
    if (!isStatus(error, 404)) return null;
    refetchItem(seen.id);
    return { item: null, sentence: t.inbox.accessRemoved.gone };
  }
}

/** Returns a sentence about the last changes of an item since this version; null when there were none. */
export async function sinceSeen({ id, version }: Pick<WorkItem, 'id' | 'version'>): Promise<string | null> {
  const { events } = await client.work.workHistory({ params: { id } });
  const since = events.filter((event) => event.version > version && event.kind !== 'exported');
  return since.length === 0 ? null : since.slice(-MOST_NAMED).map(sentenceOfEvent).join(' ');
}

function sentenceOfEvent({ kind, actor, actor_id, owner, occurred_at, text }: HistoryEvent): string {
  const words = t.work.meanwhile;
  const when = formatSpoken(occurred_at);
  const quoted = text.slice(text.indexOf(': ') + 2);
  switch (kind) {
    case 'assigned':
      if (owner === null || owner.id === actor_id) return words.took(actor, when);
      return words.assigned(actor, owner.name, when);
    case 'acknowledged':
      return words.acknowledged(actor, when);
    case 'noted':
      return words.noted(actor, when, quoted);
    case 'done':
      return words.done(actor, when, quoted);
    case 'reopened':
      return words.reopened(actor, when);
    case 'undone':
      return words.undone(actor, when);
    case 'escalated':
      return words.escalated(owner?.name ?? t.work.owner.nobody, when);
    default:
      return words.other(when, text);
  }
}
