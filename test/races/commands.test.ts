import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database } from '../../server/db/database.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';

const PUBLIC = 'https://fax.example.com';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ settings: { PUBLIC_API_URL: PUBLIC } });
});
afterEach(() => gateway.close());

const state = async (id: string) => (await gateway.fax(id)).delivery_state;
const command = async (fax: Fax, name: string, more: object = {}) =>
  (
    await gateway.request('POST', `/fax/${fax.id}/${name}`, {
      json: { delivery_version: fax.delivery_version, ...more },
    })
  ).status;
const twice = async (fax: Fax, name: string, more?: object) =>
  (await Promise.all([command(fax, name, more), command(fax, name, more)])).sort((a, b) => a - b);

async function unconfirmedFax(): Promise<Fax> {
  gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const { id } = await gateway.send();
  await gateway.processAll();
  return gateway.fax(id);
}

function callbackOf(sid: string) {
  const signedUrl = String(gateway.emulator.faxes.get(sid)?.callbackUrl);
  return { url: signedUrl.replace(PUBLIC, gateway.url), signedUrl };
}

test('a fax that is released twice at once is released once and sent once', async () => {
  await gateway.set({ FAX_DISABLED: true });
  const held = await gateway.send();
  await gateway.set({ FAX_DISABLED: false });
  expect(await twice(held, 'release')).toEqual([200, 409]);
  await gateway.processAll();
  expect([await state(held.id), gateway.emulator.counts.accepted]).toEqual(['in_progress', 1]);
});

test('a fax that is cancelled twice at once is cancelled once', async () => {
  const fax = await gateway.send();
  expect(await twice(fax, 'cancel')).toEqual([200, 409]);
  await gateway.processAll();
  expect([await state(fax.id), gateway.emulator.counts.accepted]).toEqual(['cancelled', 0]);
});

test('of a release and a cancellation at once one wins', async () => {
  await gateway.set({ FAX_DISABLED: true });
  const held = await gateway.send();
  await gateway.set({ FAX_DISABLED: false });
  const statuses = await Promise.all([command(held, 'release'), command(held, 'cancel')]);
  expect([...statuses].sort((a, b) => a - b)).toEqual([200, 409]);
  await gateway.processAll();
  expect(await state(held.id)).toBe(statuses[0] === 200 ? 'in_progress' : 'cancelled');
  expect(gateway.emulator.counts.accepted).toBe(statuses[0] === 200 ? 1 : 0);
});

test('a fax that needs confirmation that two persons decide at once is decided once', async () => {
  const fax = await unconfirmedFax();
  const decisions = await Promise.all([
    command(fax, 'reconcile', { outcome: 'success', note: 'The receiver has it.' }),
    command(fax, 'reconcile', { outcome: 'failed', note: 'The receiver has nothing.' }),
  ]);
  expect([...decisions].sort((a, b) => a - b)).toEqual([200, 409]);
  expect(await state(fax.id)).toBe(decisions[0] === 200 ? 'success' : 'failed');
  expect((await gateway.history(fax.id)).filter((event) => event.kind === 'reconciled')).toHaveLength(1);
});

test('a provider fax that is attached twice at once is attached once', async () => {
  const fax = await unconfirmedFax();
  const [sid = ''] = gateway.emulator.faxes.keys();
  expect(await twice(fax, 'reconcile', { provider_sid: sid })).toEqual([200, 409]);
  expect(await state(fax.id)).toBe('in_progress');
  expect(gateway.emulator.counts.accepted).toBe(1);
});

/** Lets `meanwhile` run once, right after the first transaction that leaves the fax in the state. */
function runOnceIn(id: string, wanted: string, meanwhile: () => Promise<unknown>): () => void {
  const original = Database.prototype.transaction;
  let isLooking = false;
  Database.prototype.transaction = async function <T>(this: Database, work: (tx: never) => Promise<T>) {
    const result = await original.call(this, work as never);
    if (isLooking) return result as T;
    isLooking = true;
    if ((await state(id)) === wanted) {
      Database.prototype.transaction = original;
      await meanwhile();
    } else isLooking = false;
    return result as T;
  };
  return () => (Database.prototype.transaction = original);
}

test.each([
  ['before the attempt begins', 'ready', 200, 'cancelled', 0],
  ['once the attempt has begun', 'preparing', 409, 'in_progress', 1],
  ['once submitting has begun', 'submitting', 409, 'in_progress', 1],
  ['once the outcome is known', 'in_progress', 409, 'in_progress', 1],
])('a cancellation %s never meets a submission', async (_words, when, status, end, accepted) => {
  const { id } = await gateway.send();
  let answered = 0;
  const restore = runOnceIn(id, when, async () => {
    answered = await command(await gateway.fax(id), 'cancel');
  });
  await gateway.processAll();
  restore();
  expect([answered, await state(id), gateway.emulator.counts.accepted]).toEqual([status, end, accepted]);
});

test('a fax that waits while sending is switched off is not sent, and sent once it is on again', async () => {
  const { id } = await gateway.send();
  await gateway.set({ FAX_DISABLED: true });
  await gateway.processAll();
  gateway.clock.advance(300 * SECOND);
  await gateway.processAll();
  expect([await state(id), gateway.emulator.counts.accepted]).toEqual(['ready', 0]);
  await gateway.set({ FAX_DISABLED: false });
  gateway.clock.advance(31 * SECOND);
  await gateway.processAll();
  expect([await state(id), gateway.emulator.counts.accepted]).toEqual(['in_progress', 1]);
});

test('sending that is switched off while the fax is prepared stops it before anything is sent', async () => {
  const { id } = await gateway.send();
  const restore = runOnceIn(id, 'preparing', () => gateway.set({ FAX_DISABLED: true }));
  await gateway.processAll();
  restore();
  expect([await state(id), gateway.emulator.counts.accepted]).toEqual(['ready', 0]);
  await gateway.set({ FAX_DISABLED: false });
  gateway.clock.advance(31 * SECOND);
  await gateway.processAll();
  expect([await state(id), gateway.emulator.counts.accepted]).toEqual(['in_progress', 1]);
});

test('a callback that is faster than the answer of the submission decides, and the answer changes nothing', async () => {
  gateway.emulator.setFault({ kind: 'slow', method: 'POST' });
  const { id } = await gateway.send();
  const working = gateway.processAll();
  await gateway.emulator.waitUntilHeld();
  const [sid = ''] = gateway.emulator.faxes.keys();
  gateway.emulator.complete(sid);
  const { attempts } = await gateway.emulator.sendCallback(sid, callbackOf(sid));
  expect(attempts[0]).toMatchObject({ status: 200, body: '{"ok":true,"applied":true}' });
  gateway.emulator.release();
  await working;
  expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'success', provider_sid: sid });
  expect((await gateway.history(id)).map((event) => event.kind)).toEqual([
    'accepted',
    'submitting',
    'success',
  ]);
});

test('a callback of a success with too few pages opens a question and keeps the provider fax to query', async () => {
  gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const long = textFile('A line of the letter.\n'.repeat(100));
  const { id } = (await (await gateway.sendForm({ to: '+12025550123' }, [long])).json()) as Fax;
  await gateway.processAll();
  const { document } = await gateway.fax(id);
  expect(document.pages).toBeGreaterThan(1);
  const [sid = ''] = gateway.emulator.faxes.keys();
  gateway.emulator.complete(sid);
  await gateway.emulator.sendCallback(sid, { ...callbackOf(sid), fax: { num_pages: 1 } });
  expect(await gateway.fax(id)).toMatchObject({
    delivery_state: 'reconciliation_required',
    provider_sid: sid,
  });

  // The provider corrects itself; nobody has to call back for it.
  const fax = gateway.emulator.faxes.get(sid);
  if (fax) fax.pages = document.pages;
  gateway.clock.advance(31 * SECOND);
  await gateway.processAll();
  expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'success', pages: document.pages });
});

test('a callback and a poll at once end the fax once', async () => {
  const { id } = await gateway.send();
  await gateway.processAll();
  const sid = String((await gateway.fax(id)).provider_sid);
  gateway.emulator.complete(sid);
  gateway.clock.advance(31 * SECOND);
  await Promise.all([
    gateway.processAll(),
    gateway.emulator.sendCallback(sid, callbackOf(sid)),
    gateway.emulator.sendCallback(sid, callbackOf(sid)),
    gateway.request('POST', `/fax/${id}/refresh`),
  ]);
  expect((await gateway.fax(id)).delivery_state).toBe('success');
  const kinds = (await gateway.history(id)).map((event) => event.kind);
  expect(kinds).toEqual(['accepted', 'submitting', 'in_progress', 'success']);
});
