import { client } from '../../api/client.ts';
import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';

/** Action of a person on work items. */
export type Act =
  | { readonly kind: 'take'; readonly meId: string }
  | { readonly kind: 'assign'; readonly to: { readonly id: string; readonly name: string } }
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'done'; readonly note: string }
  | { readonly kind: 'reopen' };
export type ActKind = Act['kind'];

/** Returns true when the item allows the person this action now. */
export function canDo(kind: ActKind, { actions, is_mine, state }: WorkItem): boolean {
  if (kind === 'take') return actions.includes('assign') && !is_mine && state !== 'done';
  return actions.includes(kind);
}

/** Does it to the item as the person saw it; throws what the gateway refuses. */
export function carryOut({ id, version }: Pick<WorkItem, 'id' | 'version'>, act: Act): Promise<WorkItem> {
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
    case 'reopen':
      return client.work.reopenWork({ params, body: { version } });
  }
}

/** `You took the fax from +1 202 555 0142.`; `what` names the items. While it is on its way: `Taking the fax from …`. */
export function sentenceFor(act: Act, what: string, isUnderway = false): string {
  const words = isUnderway ? t.work.doing : t.work.did;
  return act.kind === 'assign' ? words.assign(what, act.to.name) : words[act.kind](what);
}
