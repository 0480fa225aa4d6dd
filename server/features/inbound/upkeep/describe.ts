import { aboutOf, aboutSentences, type GivenAbout, matchesAbout } from '../../../platform/fax-about.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { type ChangeParts, change } from '../changes.ts';
import { stale } from '../errors.ts';
import type { InboundParts } from '../parts.ts';
import { faxSearchText } from '../search-text.ts';
import { findFax } from '../store/fax-store.ts';
import type { FaxRow } from '../types.ts';
import { assertMay } from '../visibility.ts';

/**
 * Changes what a received fax is about, for everyone, and records it in the evidence. Throws a 409 refusal when the values
 * are no longer those that were expected.
 */
export async function describeFax(
  parts: ChangeParts & Pick<InboundParts, 'filedHandlers'>,
  caller: Caller,
  { id, about, expected }: { id: string; about: GivenAbout; expected: GivenAbout },
): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'inbound:document', await findFax(tx, id));
    if (!matchesAbout(row, expected)) throw stale();
    const after = aboutOf(about, row);
    const text = aboutSentences(row, after);
    if (text === '') return row;
    const changes = { ...after, search_text: faxSearchText({ ...row, ...after }) };
    const actor = actorOf(caller);
    const changed = await change(parts, tx, row, changes, { kind: 'about', actor: actor.name, text });
    for (const handler of parts.filedHandlers) await handler.onDescribed?.(tx, { id, actor, text });
    return changed;
  });
}
