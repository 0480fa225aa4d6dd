import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { openDatabase } from '../../server/db/database.ts';
import type { BlockedSender } from '../../shared/api/inbound-junk.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Person } from '../setup/mailbox-people.ts';
import { HOUR, SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { listen } from './console-stream.ts';
import { type Inbound, ONE_PAGE } from './inbound-setup.ts';
import { MANAGER, NUMBERS, READER, WorkGateway } from './work-setup.ts';

type Sender = z.infer<typeof BlockedSender>;
interface Blocked {
  readonly sender: Sender;
  readonly was_blocked: boolean;
  readonly fax: Inbound | null;
  readonly detail?: string;
}

const BLOCKER = [...MANAGER, 'senders:block'];
let last = 10;
/** Returns another sender for each call, in E.164 and as people of the country write it. */
function nextSender() {
  last += 1;
  return { e164: `+120255502${last}`, national: `(202) 555-02${last}` };
}

describe.each(STORES)(`in %s${withoutPostgres}`, (name) => {
  let databaseUrl: string | null = null;
  let work: WorkGateway;
  /** Manages the ward and may block senders. */
  let ada: Person;
  /** Owns items of the ward, and may not block senders. */
  let ben: Person;
  /** May block senders, and sees the lab only. */
  let cleo: Person;

  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    work = await WorkGateway.start({ databaseUrl });
    const { people } = work;
    ada = await people.addUser('Ada', { 'mailbox:ward': BLOCKER, installation: ['senders:block'] });
    ben = await people.addUser('Ben', { 'mailbox:ward': READER });
    cleo = await people.addUser('Cleo', { 'mailbox:lab': MANAGER, installation: ['senders:block'] });
  });
  afterEach(async () => {
    for (const { number } of await blocked()) await unblock(number);
  });
  afterAll(async () => {
    await work.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  const block = async (json: object, person: Person | undefined = ada) => {
    const answer = await work.request('POST', '/inbound/blocked-senders', person, json);
    const body = (await answer.json()) as Blocked;
    return { ...body, status: answer.status, code: answer.headers.get('X-Error-Code') };
  };
  const unblock = async (number: string, query = '', person?: Person) => {
    const path = `/inbound/blocked-senders/${encodeURIComponent(number)}${query}`;
    const answer = await work.request('DELETE', path, person);
    return (await answer.json()) as { was_blocked: boolean; brought_back: number; junk_faxes: number };
  };
  const blocked = async (person?: Person) => {
    const answer = await work.request('GET', '/inbound/blocked-senders', person);
    return ((await answer.json()) as { items: Sender[] }).items;
  };
  const notJunk = async (id: string, person = ada, json: object = {}) => {
    const answer = await work.request('POST', `/inbound/${id}/not-junk`, person, json);
    return { ...((await answer.json()) as Inbound), status: answer.status };
  };
  const fax = async (id: string, person?: Person) =>
    (await (await work.request('GET', `/inbound/${id}`, person)).json()) as Inbound;
  const audit = async (operation: string) => {
    const answer = await work.request('GET', `/access/audit?operation=${operation}`);
    return ((await answer.json()) as { items: { details: unknown; target: unknown }[] }).items;
  };
  /** A fax comes in and is filed, with or without a work item. */
  const receive = async (from: string, to: keyof typeof NUMBERS = 'ward'): Promise<Inbound> => {
    work.clock.advance(SECOND);
    const document = Buffer.concat([ONE_PAGE, Buffer.from(`\n% ${from} ${work.clock.now()}\n`)]);
    await work.inbound.notify(work.inbound.arrive({ from, to: NUMBERS[to], document }));
    const [newest] = await work.inbound.list('?limit=1');
    return newest as Inbound;
  };

  describe('a fax from a blocked sender', () => {
    test('rule (inbound): is received and kept, asks for nobody, and is in no count but that of junk', async () => {
      const sender = nextSender();
      // As people write it, and as the provider reports it.
      expect(await block({ number: sender.national })).toMatchObject({
        status: 200,
        was_blocked: false,
        sender: { number: sender.e164, blocked_by: 'Ada', fax_id: null, junk_faxes: 0 },
        fax: null,
      });
      const before = { counts: await work.inbound.counts(), work: await work.counts() };
      const junk = await receive(sender.e164);
      expect(junk).toMatchObject({ fr: sender.e164, status: 'received', junk: true, work_item_id: null });
      expect((await work.inbound.stored()).join()).toContain(junk.id);
      const pdf = await work.request('GET', `/inbound/${junk.id}/pdf?purpose=download`);
      expect(
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      expect(await work.inbound.counts()).toEqual({
        ...before.counts,
        junk: before.counts.junk + 1,
      });
      expect(await work.counts()).toEqual(before.work);
      expect((await work.inbound.evidence(junk.id)).map(({ kind }) => kind)).toEqual([
        'notification',
        'junk',
        'document',
      ]);
      expect((await blocked())[0]).toMatchObject({ number: sender.e164, junk_faxes: 1 });
    });

    test('stays readable for clients of the API, which can choose junk or leave it out', async () => {
      const sender = nextSender();
      const other = await receive(nextSender().e164);
      await block({ number: sender.e164 });
      const junk = await receive(sender.e164);
      const ids = async (query: string) => (await work.inbound.list(query)).map(({ id }) => id);
      expect((await ids('?limit=2')).toSorted()).toEqual([other.id, junk.id].toSorted());
      expect((await ids('?limit=1&junk=true'))[0]).toBe(junk.id);
      expect((await ids('?limit=1&junk=false'))[0]).toBe(other.id);
      expect(await ids(`?junk=true&q=${sender.e164.slice(-4)}`)).toEqual([junk.id]);
      expect(await ids(`?junk=false&q=${sender.e164.slice(-4)}`)).toEqual([]);
      // Also once the unread faxes were counted, which narrows later searches for them.
      await work.inbound.counts();
      work.clock.advance(2 * HOUR);
      expect(await ids('?unread=true&limit=200')).toContain(junk.id);
      expect(await ids('?unread=true&junk=false&limit=200')).not.toContain(junk.id);
      expect(await ids('?unread=true&junk=false&limit=200')).toContain(other.id);
    });

    test('is junk for who sees its mailbox, and hidden from everybody else', async () => {
      const sender = nextSender();
      await block({ number: sender.e164 });
      const junk = await receive(sender.e164);
      expect((await work.inbound.list('?junk=true&limit=1', ben.key))[0]?.id).toBe(junk.id);
      expect((await work.inbound.list('?junk=true', cleo.key)).map(({ id }) => id)).not.toContain(junk.id);
      const hidden = await work.request('POST', `/inbound/${junk.id}/not-junk`, cleo, {});
      expect([hidden.status, await hidden.json()]).toEqual([
        404,
        { detail: ERRORS.no_such_received_fax.sentence },
      ]);
      expect((await blocked(cleo))[0]).toMatchObject({ number: sender.e164, junk_faxes: 0 });
      expect(await unblock(sender.e164, '?bring_back=true', cleo)).toMatchObject({
        was_blocked: true,
        brought_back: 0,
      });
      expect((await fax(junk.id)).junk).toBe(true);
    });

    test('is announced to consoles as a change of the fax, and as no work', async () => {
      const sender = nextSender();
      await block({ number: sender.e164 });
      const reader = await listen(work.inbound.gateway, { key: ada.key });
      const junk = await receive(sender.e164);
      await expect
        .poll(() => reader.events.filter(({ kind }) => kind === 'inbound.changed').length)
        .toBeGreaterThan(0);
      expect(reader.events.map(({ kind }) => kind)).not.toContain('work.changed');
      await notJunk(junk.id);
      await expect.poll(() => reader.events.map(({ kind }) => kind)).toContain('work.changed');
      await reader.close();
    });

    test('waits in Junk for its document, and stays there when it comes after the sender was unblocked', async () => {
      const sender = nextSender();
      await block({ number: sender.e164 });
      work.clock.advance(SECOND);
      work.inbound.gateway.emulator.setFault({ kind: 'refused', status: 404, path: /\/file$/u });
      await work.inbound.notifyBare(work.inbound.arrive({ from: sender.e164, to: NUMBERS.ward }));
      await work.process();
      const before = await work.inbound.counts();
      const [waiting] = await work.inbound.list('?limit=1');
      expect(waiting).toMatchObject({ status: 'waiting', junk: true });
      expect(before.waiting).toBe(0);
      await unblock(sender.e164);
      work.inbound.gateway.emulator.clearFaults();
      work.clock.advance(HOUR);
      await work.process();
      expect(await fax(waiting?.id ?? '')).toMatchObject({
        status: 'received',
        junk: true,
        work_item_id: null,
      });
    });

    test('rule (crossings): is left out of the histories that must exist, until it leaves Junk', async () => {
      const sender = nextSender();
      await block({ number: sender.e164 });
      const junk = await receive(sender.e164);
      const figures = async () =>
        (await (await work.request('GET', '/work/statistics')).json()) as { all: { received: number } };
      const before = (await figures()).all.received;
      work.clock.advance(HOUR);
      const back = await notJunk(junk.id, ada, { unblock: true });
      expect(back).toMatchObject({ junk: false, work_item_id: expect.any(String) });
      expect(await work.item(back.work_item_id ?? '')).toMatchObject({
        state_key: 'waiting',
        owner: null,
        available_at: expect.stringMatching(/^2/u),
      });
      work.clock.advance(SECOND);
      expect((await figures()).all.received).toBe(before + 1);
      expect((await work.history(back.work_item_id ?? '')).map(({ text }) => text)).toEqual([
        'Ada took the fax out of Junk. It waits for an owner. It has no acknowledgement target.',
      ]);
      expect((await work.inbound.evidence(junk.id)).at(-1)).toMatchObject({
        kind: 'not_junk',
        actor: 'Ada',
        text: 'Ada took the fax out of Junk.',
      });
    });
  });

  describe('blocking the sender of a fax', () => {
    test('rule (inbound): moves it to Junk and closes its item; the history and the audit name who, and the fax', async () => {
      const sender = nextSender();
      const item = await work.arrive('ward', { from: sender.e164 });
      const earlier = item.inbound_fax_id;
      const second = await work.arrive('ward', { from: sender.e164 });
      const { status, sender: row, fax: moved } = await block({ fax_id: second.inbound_fax_id });
      expect([status, row, moved]).toMatchObject([
        200,
        { number: sender.e164, fax_id: second.inbound_fax_id, junk_faxes: 1 },
        { id: second.inbound_fax_id, junk: true },
      ]);
      expect(await work.item(second.id, ada)).toMatchObject({
        state: 'done',
        junk: true,
        done_by: 'Ada',
        done_note: 'The sender is blocked, and the fax went to Junk.',
        actions: [],
      });
      expect((await work.history(second.id)).at(-1)).toMatchObject({
        kind: 'junk',
        actor: 'Ada',
        text: 'Ada moved the fax to Junk, since its sender is blocked. The item was closed.',
      });
      expect((await work.inbound.evidence(second.inbound_fax_id)).at(-1)).toMatchObject({
        kind: 'junk',
        actor: 'Ada',
        text: `Ada blocked the sender ${sender.e164} and moved the fax to Junk.`,
      });
      expect((await audit('sender.block'))[0]).toMatchObject({
        details: { number: sender.e164 },
        target: { kind: 'inbound_fax', id: second.inbound_fax_id },
      });
      // Its earlier faxes stay where they are.
      expect((await fax(earlier)).junk).toBe(false);
      expect((await work.item(item.id)).state_key).toBe('waiting');
      // The note of the closing is offered to nobody.
      const notes = (await (await work.request('GET', '/work/notes', ada)).json()) as { last: string | null };
      expect(notes.last).toBeNull();
    });

    test('can be undone for 10 seconds: sender, fax and item are as before', async () => {
      for (const undo of ['not-junk', 'work'] as const) {
        const sender = nextSender();
        const item = await work.arrive('ward', { from: sender.e164 });
        await work.assign(item, ben, ada);
        const before = await work.item(item.id, ben);
        const acknowledged = await work.act('acknowledge', before, ben);
        expect(acknowledged.status).toBe(200);
        await block({ fax_id: item.inbound_fax_id });
        work.clock.advance(9 * SECOND);
        const closed = await work.item(item.id, ada);
        if (undo === 'not-junk') await notJunk(item.inbound_fax_id, ada, { unblock: true });
        else expect((await work.act('undo', closed, ada)).status).toBe(200);
        expect(await work.item(item.id, ben)).toMatchObject({
          state_key: 'acknowledged',
          owner: { id: ben.id },
          junk: false,
          done_note: null,
        });
        expect((await work.history(item.id)).at(-1)).toMatchObject({ kind: 'undone', actor: 'Ada' });
        expect((await fax(item.inbound_fax_id)).junk).toBe(false);
        expect(await blocked()).toEqual([]);
      }
    });

    test('later brings the fax back as a new arrival that nobody owns, with its history', async () => {
      const sender = nextSender();
      const item = await work.arrive('ward', { from: sender.e164 });
      await work.assign(item, ben, ada);
      await block({ fax_id: item.inbound_fax_id });
      work.clock.advance(11 * SECOND);
      const closed = await work.item(item.id, ada);
      expect(await work.act('undo', closed, ada)).toMatchObject({ status: 409, code: 'not_undoable' });
      expect(await notJunk(item.inbound_fax_id)).toMatchObject({ status: 200, junk: false });
      expect(await work.item(item.id)).toMatchObject({ state_key: 'waiting', owner: null, done_note: null });
      expect(await work.kinds(item.id)).toEqual(['created', 'assigned', 'junk', 'not_junk']);
      // The sender stays blocked.
      expect((await blocked()).map(({ number }) => number)).toEqual([sender.e164]);
      expect((await audit('inbound.not_junk'))[0]).toMatchObject({
        target: { kind: 'inbound_fax', id: item.inbound_fax_id },
      });
      // Once more changes nothing.
      const { version } = await fax(item.inbound_fax_id);
      expect(await notJunk(item.inbound_fax_id)).toMatchObject({ status: 200, version });
    });

    test('leaves a finished item as it is, also when the fax comes back', async () => {
      const item = await work.arrive('ward', { from: nextSender().e164 });
      const done = await work.act('done', item, ada, { note: 'Filed.' });
      await block({ fax_id: item.inbound_fax_id });
      expect((await fax(item.inbound_fax_id)).junk).toBe(true);
      expect(await work.item(item.id)).toMatchObject({ version: done.version, done_note: 'Filed.' });
      for (const [action, body] of [
        ['reopen', {}],
        ['assign', { principal_id: ben.id }],
      ] as const)
        expect(await work.act(action, done, ada, body)).toMatchObject({ status: 409, code: 'item_in_junk' });
      await notJunk(item.inbound_fax_id);
      expect(await work.item(item.id)).toMatchObject({ version: done.version, state: 'done', junk: false });
      expect((await work.act('reopen', done, ada)).status).toBe(200);
    });

    test('repeated changes nothing, and a second fax of the sender goes to Junk as well', async () => {
      const sender = nextSender();
      const [one, two] = [
        await work.arrive('ward', { from: sender.e164 }),
        await work.arrive('ward', { from: sender.e164 }),
      ];
      const first = await block({ fax_id: one.inbound_fax_id });
      const again = await block({ fax_id: one.inbound_fax_id });
      expect(again).toMatchObject({ status: 200, was_blocked: true, sender: first.sender });
      expect(again.fax?.version).toBe(first.fax?.version);
      expect(await block({ fax_id: two.inbound_fax_id })).toMatchObject({
        was_blocked: true,
        sender: { fax_id: one.inbound_fax_id },
        fax: { junk: true },
      });
      const recorded = await audit('sender.block');
      const ofSender = recorded.filter(({ details }) => JSON.stringify(details).includes(sender.e164));
      expect(ofSender.map(({ target }) => target)).toMatchObject([
        { id: two.inbound_fax_id },
        { id: one.inbound_fax_id },
      ]);
    });

    test('rule (inbound): needs its permission, sight of the fax, and the right to end its open item', async () => {
      const item = await work.arrive('ward', { from: nextSender().e164 });
      const { inbound_fax_id: fax_id } = item;
      expect((await block({ fax_id }, ben)).status).toBe(403);
      expect(await block({ fax_id }, cleo)).toMatchObject({ status: 404 });
      const dora = await work.people.addUser('Dora', {
        'mailbox:ward': READER,
        installation: ['senders:block'],
      });
      expect(await block({ fax_id }, dora)).toMatchObject({ status: 403, code: 'item_of_another' });
      expect([await blocked(), (await fax(fax_id)).junk]).toEqual([[], false]);
      expect((await work.item(item.id)).version).toBe(item.version);
      // On a mailbox alone it is held by nobody: it is for the whole office.
      const emil = await work.people.addUser('Emil', { 'mailbox:ward': BLOCKER });
      expect((await block({ fax_id }, emil)).status).toBe(403);
    });

    test('is refused with a sentence for a withheld number, and asks once more for a known one', async () => {
      const withheld = await receive('Anonymous');
      expect(withheld.fr).toBe('Unknown');
      expect(await block({ fax_id: withheld.id })).toMatchObject({
        status: 409,
        code: 'sender_withheld',
        detail: ERRORS.sender_withheld.sentence,
      });
      const sender = nextSender();
      await work.request('POST', '/contacts', undefined, { name: 'Alder', fax_number: sender.e164 });
      for (const number of [sender.national, NUMBERS.lab]) {
        const refused = await block({ number });
        expect(refused).toMatchObject({ status: 409, code: 'sender_known' });
        expect(refused.detail).not.toContain('Alder');
        expect((await block({ number, even_if_known: true })).status).toBe(200);
      }
      expect((await block({ number: '12' })).code).toBe('invalid_fax_number');
      for (const json of [{}, { number: sender.e164, fax_id: withheld.id }])
        expect((await block(json)).status).toBe(400);
    });
  });

  test('unblocking brings the faxes of the sender back where that is asked for, and can be repeated', async () => {
    const sender = nextSender();
    await block({ number: sender.e164 });
    const junk = [await receive(sender.e164), await receive(sender.e164), await receive(sender.e164, 'lab')];
    expect(await unblock(sender.national)).toEqual({
      number: sender.e164,
      was_blocked: true,
      brought_back: 0,
      junk_faxes: 3,
    });
    expect((await audit('sender.unblock'))[0]).toMatchObject({ details: { number: sender.e164 } });
    expect((await receive(sender.e164)).junk).toBe(false);
    expect(await unblock(sender.e164, '?bring_back=true', ada)).toMatchObject({
      was_blocked: false,
      brought_back: 2,
    });
    const state = async () => Promise.all(junk.map(async ({ id }) => (await fax(id)).junk));
    expect(await state()).toEqual([false, false, true]);
    expect(await unblock(sender.e164, '?bring_back=true')).toMatchObject({ brought_back: 1, junk_faxes: 0 });
    expect(await unblock(sender.e164, '?bring_back=true')).toMatchObject({ brought_back: 0 });
  });

  test('no more senders are blocked than the limit', async () => {
    const db = openDatabase({
      postgresUrl: databaseUrl,
      sqliteFile: `${work.inbound.gateway.dataFolder}/faxdesk.sqlite`,
    });
    const at = '2026-11-21T08:00:00.000Z';
    const rows = Array.from({ length: LIMITS.blockedSenders }, (_, n) => ({
      number: `+4930${100_000 + n}`,
      fax_id: null,
      blocked_at: at,
      blocked_by_id: ada.id,
      blocked_by: 'Ada',
    }));
    await db.transaction(async (tx) => {
      for (let from = 0; from < rows.length; from += 200)
        await tx
          .insertInto('inbound_blocked_sender')
          .values(rows.slice(from, from + 200))
          .execute();
    });
    try {
      expect(await block({ number: nextSender().e164 })).toMatchObject({
        status: 409,
        code: 'too_many_blocked_senders',
      });
      expect(await block({ number: '+4930100000' })).toMatchObject({ status: 200, was_blocked: true });
      expect(await blocked()).toHaveLength(LIMITS.blockedSenders);
    } finally {
      await db.transaction((tx) => tx.deleteFrom('inbound_blocked_sender').execute());
      await db.close();
    }
  });
});
