import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../setup/emulators/cloudone/index.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

let desk: TestGateway;
beforeAll(async () => {
  desk = await startTestGateway();
});
beforeEach(() => {
  desk.emulator.calls.length = 0;
  desk.emulator.state.faxes.clear();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  // Whatever became of the faxes of this file: a restart submits none of them.
  desk = await desk.restart();
  desk.emulator.calls.length = 0;
  await desk.gateway.processAll();
  expect(desk.emulator.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await desk.close();
});

const kinds = async (id: string) => (await desk.history(id)).map((event) => event.kind);

/** Nothing a later round of work or a day brings may submit the fax a second time. */
async function expectNeverSubmittedAgain(id: string, submissions: number): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    desk.clock.advance(8 * HOUR);
    await desk.gateway.processAll();
  }
  const posts = desk.emulator.calls.filter(({ method }) => method === 'POST').length;
  expect(posts).toBe(submissions);
  expect((await desk.fax(id)).id).toBe(id);
}

describe('a provider that cannot be reached', () => {
  test('lets the fax wait as ready with one line in its history, and it is sent by itself later', async () => {
    await desk.emulator.refuseConnections();
    const { id } = await desk.send();
    for (let round = 0; round < 5; round += 1) {
      await desk.gateway.processAll();
      expect(await desk.fax(id)).toMatchObject({ delivery_state: 'ready', status: 'queued', error: null });
      desk.clock.advance(5 * MINUTE);
    }
    expect(await kinds(id)).toEqual(['accepted', 'waiting']);

    await desk.emulator.acceptConnections();
    await desk.gateway.processAll();
    expect(await desk.fax(id)).toMatchObject({ delivery_state: 'in_progress', attempt: { number: 1 } });
    expect(await kinds(id)).toEqual(['accepted', 'waiting', 'submitting', 'in_progress']);
    expect(desk.emulator.counts.accepted).toBe(1);
  });

  test('fails the fax after a day of waiting, with the reason and nothing sent', async () => {
    await desk.emulator.refuseConnections();
    const { id } = await desk.send();
    await desk.gateway.processAll();
    desk.clock.advance(DAY - MINUTE);
    await desk.gateway.processAll();
    expect((await desk.fax(id)).delivery_state).toBe('ready');
    desk.clock.advance(10 * MINUTE);
    await desk.gateway.processAll();
    expect(await desk.fax(id)).toMatchObject({
      delivery_state: 'failed',
      error: 'The fax provider could not be reached.',
      attempt: { phase: 'failed', error_category: 'provider_unavailable' },
    });
    await desk.emulator.acceptConnections();
    await expectNeverSubmittedAgain(id, 0);
  });

  test('gives a fax that was held for days its own day of waiting', async () => {
    await desk.set({ FAX_DISABLED: true });
    const held = await desk.send();
    desk.clock.advance(3 * DAY);
    await desk.set({ FAX_DISABLED: false });
    const released = await desk.request('POST', `/fax/${held.id}/release`, {
      json: { delivery_version: held.delivery_version },
    });
    expect(released.status).toBe(200);
    await desk.emulator.refuseConnections();
    await desk.gateway.processAll();
    expect((await desk.fax(held.id)).delivery_state).toBe('ready');
    desk.clock.advance(23 * HOUR);
    await desk.emulator.acceptConnections();
    await desk.gateway.processAll();
    expect((await desk.fax(held.id)).delivery_state).toBe('in_progress');
  });

  test('is tried again for certain when it goes away between the look and the submission', async () => {
    const { id } = await desk.send();
    const connections = desk.emulator.counts.connections;
    const closing = expect
      .poll(() => desk.emulator.counts.connections, { interval: 1 })
      .toBeGreaterThan(connections);
    const working = desk.gateway.processAll();
    await closing;
    await desk.emulator.refuseConnections();
    await working;
    const fax = await desk.fax(id);
    // Closing may win before or after the request: either way the fax is not counted as sent without proof.
    expect(['ready', 'reconciliation_required', 'in_progress']).toContain(fax.delivery_state);
    const posts = desk.emulator.calls.filter(({ method }) => method === 'POST').length;
    if (fax.delivery_state === 'ready') expect(posts).toBe(0);
    await desk.emulator.acceptConnections();
    await expectNeverSubmittedAgain(id, Math.max(posts, fax.delivery_state === 'ready' ? 1 : 0));
  });
});

const DOUBTFUL: [string, Fault, string][] = [
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
  test.each(DOUBTFUL)('and %s makes a person decide', async (_words, fault, category) => {
    desk.emulator.setFault({ ...fault, method: 'POST' });
    const { id } = await desk.send();
    await desk.gateway.processAll();
    const accepted = desk.emulator.counts.accepted;
    expect(accepted).toBe(fault.accepted === true ? 1 : 0);
    expect(await desk.fax(id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      status: 'in_progress',
      reconciliation_reason: expect.stringMatching(/Check with the recipient, then decide\.$/u) as string,
      attempt: { number: 1, phase: 'uncertain', error_category: category },
    });
    await expectNeverSubmittedAgain(id, 1);
    expect(desk.emulator.counts.accepted).toBe(accepted);
    expect((await desk.fax(id)).delivery_state).toBe('reconciliation_required');
  });

  test('because it does not answer in time makes a person decide', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    desk.emulator.setFault({ kind: 'slow', method: 'POST' });
    const { id } = await desk.send();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300));
    await desk.gateway.processAll();
    desk.emulator.release();
    expect(await desk.fax(id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      attempt: { phase: 'uncertain', error_category: 'transport_ambiguous' },
    });
    expect(desk.emulator.counts.accepted).toBe(1);
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
  desk.emulator.setFault({ ...fault, method: 'POST' });
  const { id } = await desk.send();
  await desk.gateway.processAll();
  const fax = await desk.fax(id);
  expect(fax).toMatchObject({ delivery_state: 'failed', status: 'FAILED', attempt: { phase: 'failed' } });
  expect(fax.error).toMatch(/^The fax provider .+[.”]$/u);
  await expectNeverSubmittedAgain(id, 1);
  expect(desk.emulator.counts.accepted).toBe(0);
});

test('a poll that fails in any way changes nothing and is made again', async () => {
  const { id } = await desk.send();
  await desk.gateway.processAll();
  const { provider_sid } = await desk.fax(id);
  for (const kind of [
    'dropped',
    'garbage',
    'server-error',
    'truncated',
    'unauthorized',
    'rate-limited',
  ] as const) {
    desk.emulator.setFault({ kind, method: 'GET' });
    desk.clock.advance(30 * SECOND);
    await desk.gateway.processAll();
    expect((await desk.fax(id)).delivery_state).toBe('in_progress');
  }
  desk.emulator.complete(String(provider_sid));
  desk.clock.advance(30 * SECOND);
  await desk.gateway.processAll();
  expect((await desk.fax(id)).delivery_state).toBe('success');
});
