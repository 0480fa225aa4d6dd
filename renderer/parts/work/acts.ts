import { client } from '../../api/client.ts';
import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';

/** Action of a person on work items. */
export type Act =
  | { readonly kind: 'take'; readonly meId: string }
  | { readonly kind: 'assign'; readonly to: { readonly id: string; readonly name: string } }
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'done'; readonly note: string }
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'reopen' };
export type ActKind = Act['kind'];

/** Returns true when the item allows the person this action now. */
export function canDo(kind: ActKind, { actions, is_mine, state, may_note }: WorkItem): boolean {
  if (kind === 'take') return actions.includes('assign') && !is_mine && state !== 'done';
  if (kind === 'note') return may_note;
  return actions.includes(kind);
}

/** Returns true when the item does not stand in the way of doing this to it together with others. */
export function isReadyFor(kind: ActKind, item: WorkItem): boolean {
  return canDo(kind, item) || (kind === 'take' && item.is_mine && item.state !== 'done');
}

/** Does it to the items as the person saw them: to all of them, or to none; throws what the gateway refuses. */
export async function carryOut(act: Act, items: readonly WorkItem[]): Promise<readonly WorkItem[]> {
  const [only, ...others] = items;
  if (only && others.length === 0) return [await carryOutOne(only, act)];
  const seen = items.map(({ id, version }) => ({ id, version }));
  return (await client.work.changeWork({ body: { ...inputOf(act), items: seen } })).items;
}

function inputOf(act: Act) {
  switch (act.kind) {
    case 'take':
      return { action: 'assign', principal_id: act.meId } as const;
    case 'assign':
      return { action: 'assign', principal_id: act.to.id } as const;
    case 'done':
    case 'note':
      return { action: act.kind, note: act.note };
    case 'acknowledge':
    case 'reopen':
      return { action: act.kind };
  }
}

/** Does it to the item as the person saw it; throws what the gateway refuses. */
export function carryOutOne({ id, version }: Pick<WorkItem, 'id' | 'version'>, act: Act): Promise<WorkItem> {
  const params = { id };
  switch (act.kind) {
    case 'take':
      return client.work.assignWork({ params, body: { principal_id: act.meId, version } });
    case 'assign':
      return client.work.assignWork({ params, body: { principal_id: act.to.id, version } });
    case 'acknowledge':
      return client.work.acknowledgeWork({ params, body: { version } });
    case 'done':
      return client.work.finishWork({ params, body: { note: act.note, version } });
    case 'note':
      return client.work.noteWork({ params, body: { note: act.note, version } });
    case 'reopen':
      return client.work.reopenWork({ params, body: { version } });
  }
}

/** `You took the fax from +1 202 555 0142.`; `what` names the items. While it is on its way: `Taking the fax from …`. */
export function sentenceFor(act: Act, what: string, isUnderway = false): string {
  const words = isUnderway ? t.work.doing : t.work.did;
  return act.kind === 'assign' ? words.assign(what, act.to.name) : words[act.kind](what);
}
