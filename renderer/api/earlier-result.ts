import type { WorkHistoryKind } from '../../shared/history-kinds.ts';

/** Reads JSON of the gateway under the session of the act. Throws when there is none. */
type ReadJson = (path: string) => Promise<unknown>;

/** Change of a work item or a sent fax, as it was posted. */
interface PostedAct {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface HistoryEvent {
  readonly kind: string;
  readonly actor_id?: string | null;
  readonly actor: string;
  readonly text: string;
  readonly owner?: { readonly id: string } | null;
  readonly version?: number;
}

/** Entry that each act on a work item leaves, by the last part of its address or its `action`. */
const WORK_KINDS: Readonly<Record<string, WorkHistoryKind>> = {
  acknowledge: 'acknowledged',
  assign: 'assigned',
  done: 'done',
  note: 'noted',
  notes: 'noted',
  reopen: 'reopened',
  undo: 'undone',
};

/**
 * Returns the answer of an act that was carried out before its connection broke off: a gateway that was started again has
 * forgotten its id, and refuses the repetition because what it changed has a newer version. The histories prove it: the change
 * that followed the version the person saw is theirs and the same. Null when it is not.
 */
export async function findEarlierResult(read: ReadJson, { path, body }: PostedAct): Promise<unknown> {
  const [, room, id, action] = path.split('/');
  if (room === 'work' && id !== undefined && action !== undefined) {
    const version = body['version'];
    if (typeof version !== 'number') return null;
    return (await workResult(read, [{ id, version }], { ...body, action }))?.[0] ?? null;
  }
  if (room === 'work' && id === undefined) {
    const items = await workResult(read, body['items'] as readonly SeenItem[], body);
    return items && { items };
  }
  if (room === 'fax' && id !== undefined && (action === 'cancel' || action === 'release'))
    return faxResult(read, id, action);
  return null;
}

interface SeenItem {
  readonly id: string;
  readonly version: number;
}

async function workResult(
  read: ReadJson,
  seen: readonly SeenItem[],
  act: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[] | null> {
  const me = await readMe(read);
  for (const { id, version } of seen) {
    const { events } = (await read(`/work/${id}/history`)) as { events: readonly HistoryEvent[] };
    const next = events.filter((event) => event.version === version + 1);
    if (!next.some((event) => event.actor_id === me.id && isSameWorkAct(event, act))) return null;
  }
  const ids = seen.map(({ id }) => id);
  const query = new URLSearchParams({ ids: ids.join(), limit: String(ids.length) });
  const { items } = (await read(`/work?${query}`)) as { items: readonly { id: string }[] };
  const inOrder = ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
  return inOrder.length === ids.length ? inOrder : null;
}

function isSameWorkAct(event: HistoryEvent, act: Readonly<Record<string, unknown>>): boolean {
  if (event.kind !== WORK_KINDS[String(act['action'])]) return false;
  if (event.kind === 'assigned') return event.owner?.id === act['principal_id'];
  return typeof act['note'] !== 'string' || event.text.endsWith(`: ${act['note'].trim()}`);
}

async function faxResult(read: ReadJson, id: string, action: 'cancel' | 'release'): Promise<unknown> {
  const me = await readMe(read);
  const { events } = (await read(`/fax/${id}/history`)) as { events: readonly HistoryEvent[] };
  const kind = action === 'cancel' ? 'cancelled' : 'released';
  const isMine = events.some((event) => event.kind === kind && event.actor === me.display_name);
  const fax = (await read(`/fax/${id}`)) as { delivery_state: string };
  // A fax that is held again waits for another release.
  return isMine && fax.delivery_state !== 'held' ? fax : null;
}

async function readMe(read: ReadJson) {
  return ((await read('/auth/me')) as { principal: { id: string; display_name: string } }).principal;
}
