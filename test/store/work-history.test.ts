import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkHistoryTable, WorkItemTable } from '../../server/db/schema/work.ts';
import { verifyHistories } from '../../server/features/work/offline.ts';
import { digestOfEntry } from '../../server/features/work/store/history-digest.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';
import { WORK_SEAL, WorkProcess } from '../setup/work-room.ts';

const mara = fakeCaller({ id: 'mara' });

describe.each(STORES)('the histories of work items, on %s', (name) => {
  let store: TestStore;
  let work: WorkProcess;
  let id: string;
  let other: string;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    work = new WorkProcess(store);
    await work.clear();
    await work.addPerson('mara', 'installation');
    [id, other] = [await finished(), await finished()];
  });

  async function finished(): Promise<string> {
    const item = await work.file();
    const act = work.room.service;
    await act.act(mara, { id: item.id, version: 1 }, { kind: 'assign', principalId: 'mara' });
    await act.act(mara, { id: item.id, version: 2 }, { kind: 'done', note: 'Filed.' });
    return item.id;
  }

  const verify = (seal: typeof WORK_SEAL | null = WORK_SEAL) => verifyHistories(() => store.db.read, seal);
  const problems = async (seal?: null) => (await verify(seal)).problems;
  const changeItem = (columns: Partial<WorkItemTable>) =>
    work.change((tx) => tx.updateTable('work_item').set(columns).where('id', '=', id).execute());
  const changeEntry = (position: number, columns: Partial<WorkHistoryTable>) =>
    work.change((tx) =>
      tx
        .updateTable('work_history')
        .set(columns)
        .where('item_id', '=', id)
        .where('position', '=', position)
        .execute(),
    );
  const remove = (position: number) =>
    work.change((tx) =>
      tx.deleteFrom('work_history').where('item_id', '=', id).where('position', '=', position).execute(),
    );

  test('are whole when nobody touched them, with the data key and without', async () => {
    expect(await verify()).toEqual({ intact: true, items: 2, entries: 6, problems: [], ends_checked: true });
    expect(await verify(null)).toMatchObject({ intact: true, ends_checked: false });
  });

  test.each<[string, Partial<WorkHistoryTable>]>([
    ['what happened', { text: 'Somebody else took it.' }],
    ['when it happened', { occurred_at: '2026-11-20T09:00:00.000Z' }],
    ['who did it', { actor: 'Nobody' }],
    ['the kind', { kind: 'acknowledged' }],
    ['who owned the item', { owner: 'Nobody', owner_id: null }],
    ['its digest', { digest: 'f'.repeat(64) }],
  ])('show an entry of which %s was changed', async (_what, columns) => {
    await changeEntry(2, columns);
    expect(await problems()).toEqual([`Entry 2 of the history of work item ${id} was altered or moved.`]);
  });

  test.each([1, 2, 3])(
    'rule (work): the history of a work item is a chain that shows a missing entry [%i]',
    async (position) => {
      await remove(position);
      expect(await problems()).toEqual([`Entry ${position} of the history of work item ${id} is missing.`]);
    },
  );

  test('show an item that was deleted with its whole history', async () => {
    const { inbound_fax_id } = await work.item(id);
    await work.change(async (tx) => {
      await tx.deleteFrom('work_undo').where('item_id', '=', id).execute();
      await tx.deleteFrom('work_history').where('item_id', '=', id).execute();
      await tx.deleteFrom('work_item').where('id', '=', id).execute();
    });
    expect(await verify()).toMatchObject({
      intact: false,
      problems: [`The work item of received fax ${inbound_fax_id} is missing, with its history.`],
    });
  });

  test('show an entry that was moved to another item', async () => {
    await remove(2);
    await work.change((tx) =>
      tx
        .updateTable('work_history')
        .set({ item_id: id })
        .where('item_id', '=', other)
        .where('position', '=', 2)
        .execute(),
    );
    expect(new Set(await problems())).toEqual(
      new Set([
        `Entry 2 of the history of work item ${id} was altered or moved.`,
        `Entry 2 of the history of work item ${other} is missing.`,
      ]),
    );
  });

  test.each<[string, Partial<WorkItemTable>]>([
    ['the owner', { owner_id: 'nobody' }],
    ['the state', { state_key: 'waiting' }],
    ['the note', { done_note: 'Never mind.' }],
    ['the due time', { due_at: '2027-01-01T00:00:00.000Z' }],
    ['the fingerprint', { sha256: 'e'.repeat(64) }],
    ['the version', { version: 9 }],
  ])('show an item of which %s was changed past them', async (_what, columns) => {
    await changeItem(columns);
    expect(await problems()).toEqual([`Work item ${id} was altered: it does not match its history.`]);
  });

  test('show an end that was cut off together with its count, by the sealed end', async () => {
    const [, second] = await work.history(id);
    await remove(3);
    await changeItem({ history_count: 2, history_digest: second?.digest ?? '' });
    expect(await problems()).toEqual([`Entry 3 of the history of work item ${id} is missing.`]);
  });

  test('show a history that was written anew with right digests, by the sealed end', async () => {
    const last = (await work.history(id)).at(-1);
    if (!last) throw new Error('there is no history');
    const { digest: _old, ...entry } = { ...last, text: 'Somebody else did it.' };
    const digest = digestOfEntry(entry);
    await changeEntry(3, { text: entry.text, digest });
    await changeItem({ history_digest: digest });
    expect(await problems()).toEqual([`Entry 3 of the history of work item ${id} was altered or moved.`]);
    expect(await problems(null)).toEqual([]);
    await changeItem({ history_end: null });
    expect(await problems()).toEqual([
      `The sealed end of the history of work item ${id} was altered or removed.`,
    ]);
  });
});
