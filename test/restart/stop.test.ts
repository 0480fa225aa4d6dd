import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';

let desk: TestGateway;
beforeEach(async () => {
  desk = await startTestGateway();
});
afterEach(() => desk.close());

test('a stop waits for a submission that is under way and records its outcome', async () => {
  desk.emulator.setFault({ kind: 'slow', method: 'POST' });
  const { id } = await desk.send();
  const working = desk.gateway.processAll();
  await desk.emulator.untilHeld();
  const stopping = desk.gateway.stop();
  desk.emulator.release();
  await Promise.all([stopping, working]);
  desk = await desk.restart();
  expect(await desk.fax(id)).toMatchObject({
    delivery_state: 'in_progress',
    attempt: { phase: 'in_progress' },
  });
  await desk.gateway.processAll();
  expect(desk.emulator.counts.accepted).toBe(1);
});

test('a stop that would take too long leaves a question, and nothing is submitted again', async () => {
  desk.emulator.setFault({ kind: 'slow', method: 'POST' });
  const { id } = await desk.send();
  const working = desk.gateway.processAll().catch(() => undefined);
  await desk.emulator.untilHeld();
  await desk.gateway.stop();
  const again = await startTestGateway({
    dataFolder: desk.dataFolder,
    emulator: desk.emulator,
    clock: desk.clock,
  });
  expect(await again.fax(id)).toMatchObject({
    delivery_state: 'reconciliation_required',
    reconciliation_reason: expect.stringContaining('stopped while the fax was being submitted') as string,
  });
  desk.emulator.release();
  await working;
  again.clock.advance(600 * SECOND);
  await again.gateway.processAll();
  expect((await again.fax(id)).delivery_state).toBe('reconciliation_required');
  expect(desk.emulator.counts.accepted).toBe(1);
  desk = again;
});
