import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../setup/emulators/cloudone/index.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => {
  gateway.emulator.calls.length = 0;
  gateway.emulator.state.faxes.clear();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  // A restart submits none of the faxes of this file, in any state.
  gateway = await gateway.restart();
  gateway.emulator.calls.length = 0;
  await gateway.processAll();
  expect(gateway.emulator.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await gateway.close();
});

const kinds = async (id: string) => (await gateway.history(id)).map((event) => event.kind);

/** Nothing a later round of work or a day brings may submit the fax a second time. */
async function expectNeverSubmittedAgain(id: string, submissions: number): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    gateway.clock.advance(8 * HOUR);
    await gateway.processAll();
  }
  const posts = gateway.emulator.calls.filter(({ method }) => method === 'POST').length;
  expect(posts).toBe(submissions);
  expect((await gateway.fax(id)).id).toBe(id);
}

describe('a provider that cannot be reached', () => {
  test('lets the fax wait as ready with one line in its history, and it is sent by itself later', async () => {
    await gateway.emulator.refuseConnections();
    const { id } = await gateway.send();
    for (let round = 0; round < 5; round += 1) {
      await gateway.processAll();
      expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'ready', status: 'queued', error: null });
      gateway.clock.advance(5 * MINUTE);
    }
    expect(await kinds(id)).toEqual(['accepted', 'waiting']);

    await gateway.emulator.acceptConnections();
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'in_progress', attempt: { number: 1 } });
    expect(await kinds(id)).toEqual(['accepted', 'waiting', 'submitting', 'in_progress']);
    expect(gateway.emulator.counts.accepted).toBe(1);
  });

  test('fails the fax after a day of waiting, with the reason and nothing sent', async () => {
    await gateway.emulator.refuseConnections();
    const { id } = await gateway.send();
    await gateway.processAll();
    gateway.clock.advance(DAY - MINUTE);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).toBe('ready');
    gateway.clock.advance(10 * MINUTE);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'failed',
      error: 'Phaxio could not be reached.',
      attempt: { phase: 'failed', error_category: 'provider_unavailable' },
    });
    await gateway.emulator.acceptConnections();
    await expectNeverSubmittedAgain(id, 0);
  });

  test('gives a fax that was held for days its own day of waiting', async () => {
    await gateway.set({ FAX_DISABLED: true });
    const held = await gateway.send();
    gateway.clock.advance(3 * DAY);
    await gateway.set({ FAX_DISABLED: false });
    const released = await gateway.request('POST', `/fax/${held.id}/release`, {
      json: { delivery_version: held.delivery_version },
    });
    expect(released.status).toBe(200);
    await gateway.emulator.refuseConnections();
    await gateway.processAll();
    expect((await gateway.fax(held.id)).delivery_state).toBe('ready');
    gateway.clock.advance(23 * HOUR);
    await gateway.emulator.acceptConnections();
    await gateway.processAll();
    expect((await gateway.fax(held.id)).delivery_state).toBe('in_progress');
  });

  test('is tried again for certain when it goes away between the look and the submission', async () => {
    const { id } = await gateway.send();
    const connections = gateway.emulator.counts.connections;
    const closing = expect
      .poll(() => gateway.emulator.counts.connections, { interval: 1 })
      .toBeGreaterThan(connections);
    const working = gateway.processAll();
    await closing;
    await gateway.emulator.refuseConnections();
    await working;
    const fax = await gateway.fax(id);
    // Closing may win before or after the request: either way the fax is not counted as sent without proof.
    expect(['ready', 'reconciliation_required', 'in_progress']).toContain(fax.delivery_state);
    const posts = gateway.emulator.calls.filter(({ method }) => method === 'POST').length;
    if (fax.delivery_state === 'ready') expect(posts).toBe(0);
    await gateway.emulator.acceptConnections();
    await expectNeverSubmittedAgain(id, Math.max(posts, fax.delivery_state === 'ready' ? 1 : 0));
  });
});

const UNCONFIRMED: [string, Fault, string][] = [
  ['drops the connection before it accepts', { kind: 'dropped' }, 'transport_ambiguous'],
  ['drops the connection after it accepted', { kind: 'dropped', accepted: true }, 'transport_ambiguous'],
  ['breaks after it accepted', { kind: 'server-error', accepted: true }, 'transport_ambiguous'],
  ['breaks before it accepts', { kind: 'server-error' }, 'transport_ambiguous'],
  ['answers garbage', { kind: 'garbage', accepted: true }, 'response_unusable'],
  ['answers in another shape', { kind: 'wrong-shape', accepted: true }, 'response_unusable'],
  ['cuts its answer off', { kind: 'truncated', accepted: true }, 'transport_ambiguous'],
  ['answers without an end', { kind: 'oversized', accepted: true }, 'response_unusable'],
  ['sends the request elsewhere', { kind: 'redirect' }, 'response_unusable'],
  ['claims success under a refusing status', { kind: 'contradiction', accepted: true }, 'response_unusable'],
];

describe('a provider that leaves open whether it has the fax', () => {
  test.each(UNCONFIRMED)('and %s makes a person decide', async (_words, fault, category) => {
    gateway.emulator.setFault({ ...fault, method: 'POST' });
    const { id } = await gateway.send();
    await gateway.processAll();
    const accepted = gateway.emulator.counts.accepted;
    expect(accepted).toBe(fault.accepted === true ? 1 : 0);
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      status: 'in_progress',
      reconciliation_reason: expect.stringMatching(/Check with the recipient, then decide\.$/u) as string,
      attempt: { number: 1, phase: 'uncertain', error_category: category },
    });
    await expectNeverSubmittedAgain(id, 1);
    expect(gateway.emulator.counts.accepted).toBe(accepted);
    expect((await gateway.fax(id)).delivery_state).toBe('reconciliation_required');
  });

  test('because it does not answer in time makes a person decide', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    gateway.emulator.setFault({ kind: 'slow', method: 'POST' });
    const { id } = await gateway.send();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300));
    await gateway.processAll();
    gateway.emulator.release();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      attempt: { phase: 'uncertain', error_category: 'transport_ambiguous' },
    });
    expect(gateway.emulator.counts.accepted).toBe(1);
    vi.restoreAllMocks();
    await expectNeverSubmittedAgain(id, 1);
  });
});

const REFUSING: [string, Fault][] = [
  ['refuses the request', { kind: 'refused' }],
  ['refuses the key', { kind: 'unauthorized' }],
  ['says it did not take it', { kind: 'unsuccessful' }],
];

test.each(REFUSING)('a provider that %s ends the fax as failed, with a sentence', async (_words, fault) => {
  gateway.emulator.setFault({ ...fault, method: 'POST' });
  const { id } = await gateway.send();
  await gateway.processAll();
  const fax = await gateway.fax(id);
  expect(fax).toMatchObject({ delivery_state: 'failed', status: 'FAILED', attempt: { phase: 'failed' } });
  expect(fax.error).toMatch(/^(Phaxio|Sinch) .+[.”]$/u);
  await expectNeverSubmittedAgain(id, 1);
  expect(gateway.emulator.counts.accepted).toBe(0);
});

test('a poll that fails in any way changes nothing and is made again', async () => {
  const { id } = await gateway.send();
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  for (const kind of [
    'dropped',
    'garbage',
    'server-error',
    'truncated',
    'unauthorized',
    'rate-limited',
  ] as const) {
    gateway.emulator.setFault({ kind, method: 'GET' });
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).toBe('in_progress');
  }
  gateway.emulator.complete(String(provider_sid));
  gateway.clock.advance(30 * SECOND);
  await gateway.processAll();
  expect((await gateway.fax(id)).delivery_state).toBe('success');
});
