import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import type { Person } from '../setup/mailbox-people.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { listen } from './console-stream.ts';
import { type Details, MANAGER, READER, WorkGateway } from './work-setup.ts';

let work: WorkGateway;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  work = await WorkGateway.start();
  ada = await work.people.addUser('Ada', { 'mailbox:ward': [...MANAGER, 'work:export'] });
  ben = await work.people.addUser('Ben', { 'mailbox:ward': READER });
});
afterAll(() => work.close());

const notesOf = (item: Details) => item.notes.map(({ by, text }) => `${by}: ${text}`);

async function owned(by: Person): Promise<Details> {
  const item = await work.arrive('ward');
  await work.assign(item, by, ada);
  return work.item(item.id, ada);
}

async function finish(note: string, by = ada, mailbox: 'ward' | 'lab' = 'ward'): Promise<void> {
  const item = await work.arrive(mailbox);
  const { status } = await work.act('done', item, mailbox === 'ward' ? by : undefined, { note });
  expect(status).toBe(200);
}

interface Notes {
  sentences: string[];
  last: string | null;
}

const notesFor = async (person?: Person) =>
  (await (await work.request('GET', '/work/notes', person)).json()) as Notes;

describe('a note that does not finish an item', () => {
  test('rule (work): a note leaves state, owner and due time as they are, and stays in the history', async () => {
    await work.setMailbox('ward', { acknowledge_hours: 1 });
    const item = await owned(ben);
    const noted = await work.act('notes', item, ben, { note: 'Page 2 is unreadable, called them.' });
    expect(noted).toMatchObject({ status: 200, version: item.version + 1, done_note: null });
    const after = await work.item(item.id, ada);
    const { version: _v, notes: _n, actions: _a, is_mine: _m, due_text: _d, ...before } = item;
    expect(after).toMatchObject(before);
    expect(notesOf(after)).toEqual(['Ben: Page 2 is unreadable, called them.']);
    expect((await work.history(item.id)).at(-1)).toMatchObject({
      kind: 'noted',
      text: 'Ben noted: Page 2 is unreadable, called them.',
      actor_id: ben.id,
      owner: { id: ben.id, name: 'Ben' },
      version: noted.version,
    });
    await work.setMailbox('ward', { acknowledge_hours: null });
  });

  test('is for its owner and who manages work there, also when it is done, with the version last seen', async () => {
    const item = await work.arrive('ward');
    expect(item.may_note).toBe(true);
    expect((await work.item(item.id, ben)).may_note).toBe(false);
    expect(await work.act('notes', item, ben, { note: 'Mine?' })).toMatchObject({
      status: 403,
      code: 'note_refused',
    });
    const done = await work.act('done', item, ada, { note: 'Filed.' });
    expect(await work.act('notes', item, ada, { note: 'Late.' })).toMatchObject({
      status: 409,
      detail: 'This item changed; reload and try again.',
    });
    expect(await work.act('notes', done, ada, { note: 'They called again.' })).toMatchObject({
      status: 200,
      state: 'done',
    });
    const long = await work.act('notes', done, ada, { note: 'x'.repeat(201) });
    expect([400, 422]).toContain(long.status);
  });

  test('can be taken back for ten seconds, and is then no note any more', async () => {
    const item = await work.arrive('ward');
    const first = await work.act('notes', item, ada, { note: 'One.' });
    const second = await work.act('notes', first, ada, { note: 'Two.' });
    const undone = await work.act('undo', second, ada);
    expect(undone.status).toBe(200);
    expect(notesOf(await work.item(item.id, ada))).toEqual(['Ada: One.']);
    expect((await work.history(item.id)).at(-1)?.text).toBe('Ada undid the note.');
  });

  test('does not count as an acknowledgement: the backup person still takes it over', async () => {
    await work.setMailbox('ward', { acknowledge_hours: 1, backup_principal_id: ben.id });
    const item = await work.item((await work.arrive('ward')).id, ada);
    work.clock.advance(HOUR);
    expect((await work.act('notes', item, ada, { note: 'Who takes this?' })).status).toBe(200);
    work.clock.advance(MINUTE);
    await work.process();
    expect(await work.item(item.id, ada)).toMatchObject({ state_key: 'escalated', owner: { id: ben.id } });
    await work.setMailbox('ward', { acknowledge_hours: null, backup_principal_id: null });
  });

  test('rule (crossings): a note on a work item is in its evidence archive', async () => {
    const item = await work.arrive('ward');
    await work.act('notes', item, ada, { note: 'Asked for page 3.' });
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-notes-'));
    const file = join(folder, 'evidence.zip');
    const answer = await work.request('GET', `/work/${item.id}/export`, ada);
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    const { intact, manifest } = await verifyEvidence(file);
    await rm(folder, { recursive: true });
    expect(intact).toBe(true);
    expect(manifest?.history.map(({ text }) => text)).toContain('Ada noted: Asked for page 3.');
  });
});

describe('the list of what is to do', () => {
  test('rule (work): to do is what a person owns and what nobody owns, and nothing that is done', async () => {
    const [own, free, others, done] = [
      await owned(ada),
      await work.arrive('ward'),
      await owned(ben),
      await owned(ada),
    ];
    await work.act('acknowledge', own, ada);
    await work.act('done', done, ada, { note: 'Filed.' });
    const ids = (await work.list('?view=todo&limit=200', ada)).map(({ id }) => id);
    expect([own, free, others, done].map(({ id }) => ids.includes(id))).toEqual([true, true, false, false]);
    expect((await work.counts(ada)).todo).toBe(ids.length);
    expect(await work.list('?view=todo&state=done', ada)).toEqual([]);
    const open = await work.list('?view=todo&state=open&limit=200', ada);
    expect(open.map(({ id }) => id)).not.toContain(own.id);
  });
});

describe('the same to several items', () => {
  const change = (json: object, person = ada) => work.request('POST', '/work', person, json);
  const seen = (items: readonly { id: string; version: number }[]) =>
    items.map(({ id, version }) => ({ id, version }));

  test('is done to all of them in the order of the request', async () => {
    const items = [await owned(ada), await owned(ada), await work.arrive('ward')];
    const answer = await change({ action: 'done', note: 'Filed.', items: seen(items) });
    const { items: changed } = (await answer.json()) as { items: Details[] };
    expect(changed.map(({ id, state }) => [id, state])).toEqual(items.map(({ id }) => [id, 'done']));
    for (const item of changed) expect((await work.act('undo', item, ada)).status).toBe(200);
  });

  test('rule (work): a change of several items is made to all of them or to none', async () => {
    const [one, two, three] = [await owned(ada), await owned(ada), await owned(ada)];
    await work.act('notes', two, ada, { note: 'Meanwhile.' });
    const stale = await change({ action: 'done', note: 'Filed.', items: seen([one, two, three]) });
    expect([stale.status, stale.headers.get('X-Error-Code')]).toEqual([409, 'work_item_changed']);
    const notMine = await owned(ben);
    const refused = await change({ action: 'acknowledge', items: seen([one, three, notMine]) });
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([403, 'not_your_item']);
    const elsewhere = await work.arrive('lab');
    const hidden = await change({ action: 'note', note: 'Hello.', items: seen([one, elsewhere]) });
    expect(hidden.status).toBe(404);
    for (const item of [one, three]) expect((await work.item(item.id, ada)).version).toBe(item.version);
  });
});

describe('sentences for the note', () => {
  test('rule (work): most used notes come first, each once, and none that was used once or that the person may not see', async () => {
    for (const note of ['To Dr. Lee.', 'Filed in the chart.', 'filed in the chart']) await finish(note);
    await finish('Called Mrs. Brown.');
    await finish('To Dr. Lee.');
    await finish('Filed in the chart.');
    for (const note of ['Lab only.', 'Lab only.']) await finish(note, ada, 'lab');
    const { sentences, last } = await notesFor(ada);
    expect(sentences.slice(0, 2)).toEqual(['Filed in the chart.', 'To Dr. Lee.']);
    expect(sentences).toContain('To Dr. Lee.');
    expect(sentences).toContain('Called the sender back.');
    expect(sentences).not.toContain('Called Mrs. Brown.');
    expect(sentences).not.toContain('Lab only.');
    expect(sentences.length).toBeLessThanOrEqual(9);
    expect(last).toBe('Filed in the chart.');
    expect((await notesFor(ben)).last).toBeNull();
    work.clock.advance(29 * 24 * HOUR);
    expect((await notesFor(ada)).sentences).toEqual([
      'Filed.',
      'Called the sender back.',
      'Passed on.',
      'No action needed.',
    ]);
  });
});

test('rule (console): a listener who loses rights receives a reset within a second', async () => {
  const cai = await work.people.addUser('Cai', { 'mailbox:ward': READER });
  const stream = await listen(work.inbound.gateway, { key: cai.key });
  try {
    await expect.poll(() => stream.all.length).toBeGreaterThan(0);
    work.clock.advance(SECOND);
    expect(stream.events).toEqual([]);
    await work.people.grant(cai.id, {});
    work.clock.advance(SECOND);
    await expect.poll(() => stream.events.map(({ kind }) => kind), { timeout: 3_000 }).toEqual(['reset']);
  } finally {
    await stream.close();
  }
});
