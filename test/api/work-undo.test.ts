import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../shared/limits.ts';
import type { Person } from '../setup/mailbox-people.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { type Details, MANAGER, READER, WorkGateway } from './work-setup.ts';

let work: WorkGateway;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  work = await WorkGateway.start();
  ada = await work.people.addUser('Ada', { 'mailbox:ward': MANAGER });
  ben = await work.people.addUser('Ben', { 'mailbox:ward': READER });
  await work.setMailbox('ward', { acknowledge_hours: 1 });
});
afterAll(() => work.close());

/** Returns the fields that show a person the state of an item. */
const standing = (item: Details) => {
  const { owner, state_key, assigned_at, acknowledged_at, acknowledged_by, done_at, done_by, done_note } =
    item;
  const { due_at, overdue, escalated_at } = item;
  const done = { done_at, done_by, done_note };
  return {
    owner,
    state_key,
    assigned_at,
    acknowledged_at,
    acknowledged_by,
    due_at,
    overdue,
    escalated_at,
    ...done,
  };
};

async function owned(by: Person): Promise<Details> {
  const item = await work.arrive('ward');
  await work.assign(item, by, ada);
  return work.item(item.id, ada);
}

test('each thing that a person does to an item can be undone by them, and it stands exactly as before', async () => {
  const acts: [string, object][] = [
    ['assign', { principal_id: ben.id }],
    ['acknowledge', {}],
    ['done', { note: 'Called the ward.' }],
    ['reopen', {}],
  ];
  let item = await work.item((await work.arrive('ward')).id, ada);
  await work.assign(item, ada, ada);
  for (const [action, body] of acts) {
    item = await work.item(item.id, ada);
    const acted = await work.act(action, item, ada, body);
    const undone = await work.act('undo', acted, ada);
    expect({ action, status: undone.status, version: undone.version }).toEqual({
      action,
      status: 200,
      version: acted.version + 1,
    });
    expect(standing(await work.item(item.id, ada))).toEqual(standing(item));
    // Done once more, so that the next thing can be done.
    if (action !== 'assign') await work.act(action, undone, ada, body);
  }
  const texts = (await work.history(item.id)).filter(({ kind }) => kind === 'undone').map(({ text }) => text);
  expect(texts).toEqual([
    'Ada undid the change of the owner.',
    'Ada undid the acknowledgement.',
    'Ada undid marking it as done.',
    'Ada undid reopening it.',
  ]);
});

test('an item comes back where it stood in the lists and in the counts', async () => {
  const item = await owned(ada);
  const before = [await work.counts(ada), (await work.list('?view=mine', ada)).map(({ id }) => id)];
  const done = await work.act('done', item, ada, { note: 'Filed.' });
  await work.act('undo', done, ada);
  expect([await work.counts(ada), (await work.list('?view=mine', ada)).map(({ id }) => id)]).toEqual(before);
});

test('only the person who did it can undo it', async () => {
  const item = await owned(ben);
  const acknowledged = await work.act('acknowledge', item, ben);
  const refused = await work.act('undo', acknowledged, ada);
  expect(refused).toMatchObject({
    status: 409,
    code: 'not_undoable',
    detail: 'You can undo only your own last change to an item, within 10 seconds.',
  });
  expect((await work.act('undo', acknowledged, ben)).status).toBe(200);
});

test('it can be undone for ten seconds, once, and only while nothing else happened', async () => {
  const item = await owned(ada);
  const inTime = await work.act('acknowledge', item, ada);
  work.clock.advance(LIMITS.undoSeconds * SECOND);
  const undone = await work.act('undo', inTime, ada);
  expect(undone.status).toBe(200);
  expect(await work.act('undo', undone, ada)).toMatchObject({ status: 409, code: 'not_undoable' });
  const late = await work.act('acknowledge', undone, ada);
  work.clock.advance(LIMITS.undoSeconds * SECOND + 1);
  expect(await work.act('undo', late, ada)).toMatchObject({ status: 409, code: 'not_undoable' });
  const done = await work.act('done', late, ada, { note: 'Filed.' });
  expect(await work.act('undo', late, ada)).toMatchObject({
    status: 409,
    code: 'work_item_changed',
    detail: 'This item changed; reload and try again.',
  });
  expect(standing(await work.item(item.id, ada))).toMatchObject({ state_key: 'done', done_note: 'Filed.' });
  expect((await work.act('undo', done, ada)).status).toBe(200);
});

test('a due time that passed meanwhile is missed all the same, and its backup person takes over', async () => {
  await work.setMailbox('ward', { acknowledge_hours: 1, backup_principal_id: ben.id });
  const item = await owned(ada);
  work.clock.advance(HOUR - (work.clock.now() - Date.parse(item.available_at)) - SECOND);
  const acknowledged = await work.act('acknowledge', item, ada);
  work.clock.advance(2 * SECOND);
  const undone = await work.act('undo', acknowledged, ada);
  expect(undone).toMatchObject({ status: 200, overdue: true, due_at: item.due_at });
  work.clock.advance(MINUTE);
  await work.process();
  expect(await work.item(item.id, ada)).toMatchObject({ state_key: 'escalated', owner: { id: ben.id } });
  expect((await work.kinds(item.id)).slice(-4)).toEqual(['acknowledged', 'undone', 'overdue', 'escalated']);
});

test('who may no longer assign cannot undo an assignment', async () => {
  const cai = await work.people.addUser('Cai', { 'mailbox:ward': MANAGER });
  const item = await work.arrive('ward');
  const assigned = await work.assign(item, ben, cai);
  await work.people.grant(cai.id, { 'mailbox:ward': READER });
  expect(await work.act('undo', assigned, cai)).toMatchObject({ status: 403 });
  expect((await work.item(item.id, ada)).owner).toMatchObject({ id: ben.id });
});
