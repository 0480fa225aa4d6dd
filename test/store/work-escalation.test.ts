import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakeCaller } from '../setup/fake-caller.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';
import { WorkProcess } from '../setup/work-room.ts';

const owner = fakeCaller({ id: 'owen' });
const manager = fakeCaller({ id: 'mara' });

describe.each(STORES)('what nobody acknowledges in time, on %s', (name) => {
  let store: TestStore;
  let work: WorkProcess;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    work = new WorkProcess(store);
    await work.clear();
    await work.addMailbox('ward');
    await work.addPerson('owen', 'mailbox:ward');
    await work.addPerson('bea', 'mailbox:ward');
    await work.addPerson('mara', 'installation');
  });

  const seen = ({ id, version }: { id: string; version: number }) => ({ id, version });
  async function assigned(hours: number | null = 2, backup: string | null = 'bea') {
    await work.setMailbox('ward', hours, backup);
    const { id } = await work.file({ mailboxId: 'ward' });
    await work.room.service.act(manager, { id, version: 1 }, { kind: 'assign', principalId: 'owen' });
    return work.item(id);
  }
  const lastText = async (id: string) => (await work.history(id)).at(-1)?.text;

  test('is missed and goes to the backup person at its due time, and not before', async () => {
    const { id, due_at } = await assigned();
    expect(due_at).toBe('2026-11-21T11:00:00.000Z');
    work.clock.advance(2 * HOUR - 1);
    await work.sweep();
    expect(await work.item(id)).toMatchObject({ state_key: 'assigned', missed_at: null });
    work.clock.advance(1);
    await work.sweep();
    expect(await work.item(id)).toMatchObject({
      state_key: 'escalated',
      owner_id: 'bea',
      escalated_to: 'bea',
      missed_at: due_at,
      escalated_at: due_at,
      due_at,
      version: 3,
    });
    const history = await work.history(id);
    expect(history.map(({ kind, text, owner_id }) => [kind, text, owner_id]).slice(2)).toEqual([
      ['overdue', 'Nobody acknowledged it within 2 hours.', 'bea'],
      ['escalated', 'It was assigned to the backup person, bea.', 'bea'],
    ]);
  });

  test('rule (work): an item that is not acknowledged in time is recorded and reassigned once, over clock jumps and several gateways', async () => {
    const { id } = await assigned();
    work.clock.advance(30 * DAY);
    const other = new WorkProcess(store, true);
    other.clock.advance(31 * DAY);
    await Promise.all([work.sweep(), other.sweep()]);
    for (const jump of [-29 * DAY, 60 * DAY, -1, 1, HOUR]) {
      work.clock.advance(jump);
      await work.sweep();
      await other.sweep();
    }
    expect(await work.kinds(id)).toEqual(['created', 'assigned', 'overdue', 'escalated']);
  });

  test('rule (work): a missed acknowledgement is handled at the next start, also after a kill in the middle', async () => {
    const ids: string[] = [];
    for (let one = 0; one < 3; one += 1) ids.push((await assigned()).id);
    work.clock.advance(3 * HOUR);
    let asked = 0;
    work.beforeHolders = () => {
      asked += 1;
      if (asked === 2) throw new Error('killed');
    };
    await expect(work.sweep()).rejects.toThrow('killed');
    const later = new WorkProcess(store);
    later.clock.advance(5 * HOUR);
    await later.sweep();
    await later.sweep();
    for (const id of ids) {
      expect(await work.kinds(id)).toEqual(['created', 'assigned', 'overdue', 'escalated']);
      expect(await work.item(id)).toMatchObject({ version: 3, owner_id: 'bea' });
    }
  });

  test.each([
    ['has none', null, 'It was not assigned to a backup person: its mailbox has none.'],
    ['owns it already', 'owen', 'It was not assigned to a backup person: it is already assigned to owen.'],
  ])('stays with its owner when the backup person of the mailbox %s', async (_why, backup, text) => {
    const { id } = await assigned(1, backup);
    work.clock.advance(HOUR);
    await work.sweep();
    expect(await work.item(id)).toMatchObject({ state_key: 'overdue', owner_id: 'owen', escalated_at: null });
    expect(await lastText(id)).toBe(text);
    await work.setMailbox('ward', 1, 'bea');
    work.clock.advance(DAY);
    await work.sweep();
    expect(await work.kinds(id)).toEqual(['created', 'assigned', 'overdue', 'not_escalated']);
  });

  test.each([
    [
      'lost access',
      () => work.change((tx) => tx.deleteFrom('assignment').where('subject_id', '=', 'bea').execute()),
    ],
    ['was disabled', () => work.setPerson('bea', { enabled: 0 })],
    ['must choose a password', () => work.setPerson('bea', { password_change_required: 1 })],
  ])('stays with its owner when the backup person %s', async (_why, happen) => {
    const { id } = await assigned();
    await happen();
    work.clock.advance(2 * HOUR);
    await work.sweep();
    expect(await work.item(id)).toMatchObject({ state_key: 'overdue', owner_id: 'owen' });
    expect(await lastText(id)).toBe(
      'It was not assigned to a backup person: bea cannot see the document, is disabled, or has not set their own password.',
    );
  });

  test('goes to the backup person when nobody owned it, or waits on with the reason', async () => {
    await work.setMailbox('ward', 1, 'bea');
    const given = await work.file({ mailboxId: 'ward' });
    work.hours = 1;
    const nowhere = await work.file({ mailboxId: null });
    work.clock.advance(HOUR);
    await work.sweep();
    expect(await work.item(given.id)).toMatchObject({ state_key: 'escalated', owner_id: 'bea' });
    expect(await work.item(nowhere.id)).toMatchObject({ state_key: 'waiting', owner_id: '' });
    expect(await lastText(nowhere.id)).toBe(
      'It was not assigned to a backup person: the fax is in no mailbox.',
    );
    expect(await work.room.service.get(manager, nowhere.id)).toMatchObject({
      state_key: 'waiting',
      overdue: true,
    });
    expect(await work.room.service.counts(manager)).toMatchObject({ overdue: 2, unassigned: 1 });
  });

  test('is by the target of its moment: later ones change nothing, and 0 means none', async () => {
    work.hours = 5;
    const first = await assigned(null);
    expect(first).toMatchObject({ due_hours: 5, due_source: 'installation' });
    const second = await assigned(1);
    expect(second).toMatchObject({ due_hours: 1, due_source: 'mailbox' });
    const third = await assigned(0);
    expect(third).toMatchObject({ due_at: null, due_hours: null, due_source: null });
    work.hours = 0;
    expect((await assigned(null)).due_at).toBeNull();
    work.clock.advance(HOUR);
    await work.sweep();
    expect(await work.kinds(second.id)).toContain('overdue');
    expect(await work.item(first.id)).toMatchObject({ due_at: first.due_at, missed_at: null });
    work.clock.advance(365 * DAY);
    await work.sweep();
    expect(await work.kinds(first.id)).toContain('overdue');
    expect(await work.kinds(third.id)).toEqual(['created', 'assigned']);
  });

  test('is overdue before that is recorded, and a person who acts then has handled it', async () => {
    const item = await assigned();
    work.clock.advance(2 * HOUR + MINUTE);
    expect(await work.room.service.get(owner, item.id)).toMatchObject({
      state_key: 'overdue',
      overdue: true,
      due_text: '1 min late',
      actions: ['assign', 'acknowledge', 'done'],
    });
    await work.room.service.act(owner, seen(item), { kind: 'acknowledge' });
    await work.sweep();
    expect(await work.kinds(item.id)).toEqual(['created', 'assigned', 'overdue', 'acknowledged']);
    expect(await work.item(item.id)).toMatchObject({ state_key: 'acknowledged', owner_id: 'owen' });
  });

  test('was acknowledged in time when it was, whatever comes later', async () => {
    const item = await assigned();
    const act = async (order: Parameters<typeof work.room.service.act>[2]) =>
      work.room.service.act(owner, seen(await work.item(item.id)), order);
    await act({ kind: 'acknowledge' });
    await act({ kind: 'done', note: 'filed' });
    work.clock.advance(HOUR);
    const reopened = await act({ kind: 'reopen' });
    expect(reopened).toMatchObject({ state_key: 'assigned', overdue: false, due_at: item.due_at });
    await act({ kind: 'acknowledge' });
    work.clock.advance(2 * HOUR);
    const given = await act({ kind: 'assign', principalId: 'bea' });
    expect(given).toMatchObject({ state_key: 'assigned', overdue: false });
    await work.sweep();
    expect(await work.kinds(item.id)).not.toContain('overdue');
  });

  test('is awaited again when it is open again before its due time', async () => {
    const item = await assigned();
    await work.room.service.act(owner, seen(item), { kind: 'acknowledge' });
    await work.room.service.act(manager, seen(await work.item(item.id)), {
      kind: 'assign',
      principalId: 'bea',
    });
    work.clock.advance(2 * HOUR);
    await work.sweep();
    expect((await work.kinds(item.id)).slice(-2)).toEqual(['overdue', 'not_escalated']);
  });

  test('stays escalated once for its item, also after it was given on, finished and reopened', async () => {
    const item = await assigned();
    work.clock.advance(2 * HOUR);
    await work.sweep();
    const act = async (order: Parameters<typeof work.room.service.act>[2]) =>
      work.room.service.act(manager, seen(await work.item(item.id)), order);
    expect(await act({ kind: 'assign', principalId: 'owen' })).toMatchObject({
      state_key: 'assigned',
      overdue: true,
    });
    await act({ kind: 'done', note: 'filed' });
    expect(await act({ kind: 'reopen' })).toMatchObject({ state_key: 'overdue', overdue: true });
    work.clock.advance(DAY);
    await work.sweep();
    expect((await work.kinds(item.id)).filter((kind) => kind === 'escalated')).toHaveLength(1);
  });

  test('is nothing of a document that a partner delivered directly: it has no item', async () => {
    expect(await work.file({ backend: 'direct' })).toBeUndefined();
  });
});
