import { afterEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Installation } from '../../shared/api/console.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { InboundDesk } from './inbound-setup.ts';

let room: InboundDesk;
afterEach(() => room.close());

const looks = () =>
  room.desk.emulator.calls.filter(({ path, method }) => method === 'GET' && path === '/faxes');
const minute = async () => {
  room.desk.clock.advance(MINUTE);
  await room.work();
};
const installation = async () =>
  (await (await room.desk.request('GET', '/console/installation')).json()) as z.infer<typeof Installation>;

describe('without a public address', () => {
  test('received faxes are listed every minute and come in by themselves, each once', async () => {
    room = await InboundDesk.startPolling();
    const fax = room.arrive();
    await minute();
    const [held] = await room.list();
    expect(held).toMatchObject({ status: 'received', provider_fax_id: String(fax.id), conflicts: 0 });
    expect((await room.evidence(held?.id ?? ''))[0]).toMatchObject({ kind: 'listed', checked_by: 'listing' });
    for (let i = 0; i < 20; i += 1) await minute();
    expect(looks().length).toBe(21);
    expect(await room.list()).toEqual([held]);
    room.arrive();
    await minute();
    expect(await room.list()).toHaveLength(2);
  });

  test('what arrived while the computer was off comes in at the next start', async () => {
    room = await InboundDesk.startPolling();
    await minute();
    room.desk.clock.advance(DAY);
    room.arrive();
    room.desk.clock.advance(3 * DAY);
    room = new InboundDesk(await room.desk.restart());
    await minute();
    expect(await room.list()).toHaveLength(1);
    expect((await installation()).receiving).toMatchObject({ enabled: true, polling: true, state: 'ok' });
  });

  test('a provider that does not answer loses nothing, and people are told', async () => {
    room = await InboundDesk.startPolling();
    await minute();
    await room.desk.emulator.refuseConnections();
    for (let i = 0; i < 3; i += 1) await minute();
    expect((await installation()).receiving).toMatchObject({
      state: 'unreachable',
      since: '2026-11-21T09:02:00.000Z',
    });
    room.arrive();
    room.desk.clock.advance(5 * HOUR);
    await room.desk.emulator.acceptConnections();
    await minute();
    expect(await room.list()).toHaveLength(1);
    expect((await installation()).receiving).toMatchObject({ state: 'ok', since: null, sentence: null });
  });

  test('a fax that is still coming in waits and is fetched once it is complete', async () => {
    room = await InboundDesk.startPolling();
    const fax = room.arrive();
    const { document } = fax;
    Object.assign(fax, { status: 'inprogress', completedAt: null, document: null });
    await minute();
    expect(await room.only()).toMatchObject({ status: 'waiting', source_received_at: null });
    for (let i = 0; i < 6; i += 1) await minute();
    Object.assign(fax, { status: 'success', completedAt: room.desk.clock.now(), document });
    await minute();
    expect(await room.only()).toMatchObject({ status: 'received' });
    expect((await room.only()).source_received_at).not.toBeNull();
  });
});

describe('notification and polling of one fax', () => {
  test.each(['notification', 'polling'])('make one fax when the %s comes first', async (first) => {
    const settings = { INBOUND_POLLING: 'on', CLOUDONE_INBOUND_VERIFY_SIGNATURE: 'true' };
    room = await InboundDesk.start({ settings });
    const fax = room.arrive();
    if (first === 'notification') await room.notify(fax);
    await minute();
    await room.notify(fax);
    await minute();
    expect(await room.only()).toMatchObject({ status: 'received', conflicts: 0 });
    expect(await room.stored()).toHaveLength(1);
  });

  test('at the same moment make one fax', async () => {
    room = await InboundDesk.start({ settings: { INBOUND_POLLING: 'on' } });
    const fax = room.arrive();
    room.desk.clock.advance(MINUTE);
    await Promise.all([room.notify(fax), room.work(), room.notifyBare(fax), room.notify(fax)]);
    await room.work();
    expect(await room.only()).toMatchObject({ status: 'received', conflicts: 0 });
    expect(await room.stored()).toHaveLength(1);
  });
});

test('with a public address nobody is asked unless the settings say so', async () => {
  room = await InboundDesk.start();
  await minute();
  expect(looks()).toEqual([]);
  await room.desk.set({ INBOUND_POLLING: 'on' });
  await expect.poll(async () => (await minute(), looks().length)).toBeGreaterThan(0);
  expect((await installation()).callback_addresses).toContainEqual(
    expect.objectContaining({ backend: 'cloudone', purpose: 'received faxes' }),
  );
});
