import { afterEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Installation } from '../../shared/api/console-installation.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { InboundGateway } from './inbound-setup.ts';

let inbound: InboundGateway;
afterEach(() => inbound.close());

const looks = () =>
  inbound.gateway.emulator.calls.filter(({ path, method }) => method === 'GET' && path === '/faxes');
const minute = async () => {
  inbound.gateway.clock.advance(MINUTE);
  await inbound.work();
};
const installation = async () =>
  (await (await inbound.gateway.request('GET', '/console/installation')).json()) as z.infer<
    typeof Installation
  >;

describe('without a public address', () => {
  test('received faxes are listed every minute and come in by themselves, each once', async () => {
    inbound = await InboundGateway.startPolling();
    const fax = inbound.arrive();
    await minute();
    const [held] = await inbound.list();
    expect(held).toMatchObject({ status: 'received', provider_fax_id: String(fax.id), conflicts: 0 });
    expect((await inbound.evidence(held?.id ?? ''))[0]).toMatchObject({
      kind: 'listed',
      checked_by: 'listing',
    });
    for (let i = 0; i < 20; i += 1) await minute();
    expect(looks().length).toBe(21);
    expect(await inbound.list()).toEqual([held]);
    inbound.arrive();
    await minute();
    expect(await inbound.list()).toHaveLength(2);
  });

  test('what arrived while the computer was off comes in at the next start', async () => {
    inbound = await InboundGateway.startPolling();
    await minute();
    inbound.gateway.clock.advance(DAY);
    inbound.arrive();
    inbound.gateway.clock.advance(3 * DAY);
    inbound = new InboundGateway(await inbound.gateway.restart());
    await minute();
    expect(await inbound.list()).toHaveLength(1);
    expect((await installation()).receiving).toMatchObject({ enabled: true, polling: true, state: 'ok' });
  });

  test('a provider that does not answer loses nothing, and people are told', async () => {
    inbound = await InboundGateway.startPolling();
    await minute();
    await inbound.gateway.emulator.refuseConnections();
    for (let i = 0; i < 3; i += 1) await minute();
    expect((await installation()).receiving).toMatchObject({
      state: 'unreachable',
      since: '2026-11-21T09:02:00.000Z',
    });
    inbound.arrive();
    inbound.gateway.clock.advance(5 * HOUR);
    await inbound.gateway.emulator.acceptConnections();
    await minute();
    expect(await inbound.list()).toHaveLength(1);
    expect((await installation()).receiving).toMatchObject({ state: 'ok', since: null, sentence: null });
  });

  test('a fax that is still coming in waits and is fetched once it is complete', async () => {
    inbound = await InboundGateway.startPolling();
    const fax = inbound.arrive();
    const { document } = fax;
    Object.assign(fax, { status: 'inprogress', completedAt: null, document: null });
    await minute();
    expect(await inbound.only()).toMatchObject({ status: 'waiting', source_received_at: null });
    for (let i = 0; i < 6; i += 1) await minute();
    Object.assign(fax, { status: 'success', completedAt: inbound.gateway.clock.now(), document });
    await minute();
    expect(await inbound.only()).toMatchObject({ status: 'received' });
    expect((await inbound.only()).source_received_at).not.toBeNull();
  });
});

describe('notification and polling of one fax', () => {
  test.each(['notification', 'polling'])('make one fax when the %s comes first', async (first) => {
    const settings = { INBOUND_POLLING: 'on', CLOUDONE_INBOUND_VERIFY_SIGNATURE: 'true' };
    inbound = await InboundGateway.start({ settings });
    const fax = inbound.arrive();
    if (first === 'notification') await inbound.notify(fax);
    await minute();
    await inbound.notify(fax);
    await minute();
    expect(await inbound.only()).toMatchObject({ status: 'received', conflicts: 0 });
    expect(await inbound.stored()).toHaveLength(1);
  });

  test('at the same moment make one fax', async () => {
    inbound = await InboundGateway.start({ settings: { INBOUND_POLLING: 'on' } });
    const fax = inbound.arrive();
    inbound.gateway.clock.advance(MINUTE);
    await Promise.all([inbound.notify(fax), inbound.work(), inbound.notifyBare(fax), inbound.notify(fax)]);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received', conflicts: 0 });
    expect(await inbound.stored()).toHaveLength(1);
  });
});

test('with a public address nobody is asked unless the settings say so', async () => {
  inbound = await InboundGateway.start();
  await minute();
  expect(looks()).toEqual([]);
  await inbound.gateway.set({ INBOUND_POLLING: 'on' });
  await expect.poll(async () => (await minute(), looks().length)).toBeGreaterThan(0);
  expect((await installation()).callback_addresses).toContainEqual(
    expect.objectContaining({ backend: 'cloudone', purpose: 'received faxes' }),
  );
});
