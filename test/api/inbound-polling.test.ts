import { afterEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ConsoleStatus } from '../../shared/api/console.ts';
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

  test('a provider that does not answer loses nothing, and people are warned', async () => {
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

describe('with a public address', () => {
  /** Returns what people and monitors see. */
  const shown = async () => {
    const status = (await (await inbound.gateway.request('GET', '/console/status')).json()) as z.infer<
      typeof ConsoleStatus
    >;
    const ready = (await (await inbound.gateway.request('GET', '/health/ready')).json()) as {
      warnings: string[];
    };
    const metrics = await (await inbound.gateway.request('GET', '/metrics')).text();
    return { ...status, ready, metrics };
  };

  test('a provider is polled every quarter of an hour, or every minute by the settings', async () => {
    inbound = await InboundGateway.start();
    for (let i = 0; i < 46; i += 1) await minute();
    expect(looks()).toHaveLength(4);
    await inbound.gateway.set({ INBOUND_POLLING: 'off' });
    for (let i = 0; i < 20; i += 1) await minute();
    expect(looks()).toHaveLength(4);
    await inbound.gateway.set({ INBOUND_POLLING: 'on' });
    for (let i = 0; i < 3; i += 1) await minute();
    expect(looks().length).toBeGreaterThanOrEqual(6);
    expect((await installation()).callback_addresses).toContainEqual(
      expect.objectContaining({ backend: 'cloudone', purpose: 'received faxes' }),
    );
  });

  test('a fax without a notification is found by the scan, counted and shown', async () => {
    inbound = await InboundGateway.start();
    await minute();
    expect((await shown()).report_problems).toEqual([]);
    inbound.arrive();
    for (let i = 0; i < 15; i += 1) await minute();
    const fax = await inbound.only();
    expect(fax.status).toBe('received');
    expect((await inbound.evidence(fax.id))[0]?.text).toContain('Phaxio had not reported it.');
    const { report_problems, warnings, ready, metrics } = await shown();
    expect(report_problems).toEqual([
      { backend: 'cloudone', problem: 'fax_not_reported', count: 1, last_at: '2026-11-21T09:16:00.000Z' },
    ]);
    expect(warnings).toEqual([
      'Received faxes that the provider did not report: 1 in all, the last just now.',
    ]);
    expect(ready.warnings).toEqual(warnings);
    expect(metrics).toContain('faxdesk_report_problems{kind="fax_not_reported"} 1');
    inbound.gateway.clock.advance(DAY);
    expect((await shown()).warnings).toEqual([]);
    expect((await shown()).report_problems).toHaveLength(1);
  });

  test('what was notified, is still on its way or came before the first scan is not counted', async () => {
    inbound = await InboundGateway.start();
    inbound.arrive();
    await minute();
    await inbound.notify(inbound.arrive());
    for (let i = 0; i < 14; i += 1) await minute();
    const late = inbound.arrive();
    await minute();
    expect(await inbound.list()).toHaveLength(2);
    await inbound.notify(late);
    for (let i = 0; i < 30; i += 1) await minute();
    expect(await inbound.list()).toHaveLength(3);
    expect((await shown()).report_problems).toEqual([]);
  });

  test('a provider whose notifications cannot be verified is polled every minute, and people are warned', async () => {
    inbound = await InboundGateway.start({ settings: { CLOUDONE_CALLBACK_TOKEN: '' } });
    const fax = inbound.arrive();
    expect((await inbound.notify(fax)).status).toBe(401);
    await minute();
    expect((await inbound.only()).status).toBe('received');
    expect((await installation()).receiving).toMatchObject({ polling: true, state: 'ok' });
    const missing =
      'Notifications of received faxes are refused, because the settings to verify them are missing. Faxdesk asks for received faxes every minute instead.';
    expect((await shown()).ready.warnings).toEqual([
      'Notifications refused because the callback token is not set: 1 in all, the last 1 minute ago.',
      missing,
    ]);
    await inbound.gateway.set({ CLOUDONE_CALLBACK_TOKEN: 'a-token' });
    expect((await shown()).ready.warnings).not.toContain(missing);
    expect((await installation()).receiving.polling).toBe(false);
  });

  test('notifications that are refused are counted by kind, also over a restart', async () => {
    inbound = await InboundGateway.start();
    const fax = inbound.arrive();
    for (let i = 0; i < 3; i += 1) await inbound.notify(fax, { tamper: 'signature' });
    await inbound.notify(fax, { signed: false });
    const refused = [
      { backend: 'cloudone', problem: 'wrong_signature', count: 3, last_at: '2026-11-21T09:00:00.000Z' },
      { backend: 'cloudone', problem: 'no_signature', count: 1, last_at: '2026-11-21T09:00:00.000Z' },
    ];
    expect((await shown()).report_problems).toEqual(refused);
    inbound = new InboundGateway(await inbound.gateway.restart());
    inbound.gateway.clock.advance(MINUTE);
    await inbound.notify(fax, { tamper: 'signature' });
    expect((await shown()).report_problems).toContainEqual(
      expect.objectContaining({ problem: 'wrong_signature', count: 4, last_at: '2026-11-21T09:01:00.000Z' }),
    );
    expect((await shown()).ready.warnings).toHaveLength(2);
  });
});
