import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

test('a stop waits for a submission that is under way and records its outcome', async () => {
  gateway.emulator.setFault({ kind: 'slow', method: 'POST' });
  const { id } = await gateway.send();
  const working = gateway.processAll();
  await gateway.emulator.untilHeld();
  const stopping = gateway.stop();
  gateway.emulator.release();
  await Promise.all([stopping, working]);
  gateway = await gateway.restart();
  expect(await gateway.fax(id)).toMatchObject({
    delivery_state: 'in_progress',
    attempt: { phase: 'in_progress' },
  });
  await gateway.processAll();
  expect(gateway.emulator.counts.accepted).toBe(1);
});

test('a stop that would take too long leaves a question, and nothing is submitted again', async () => {
  gateway.emulator.setFault({ kind: 'slow', method: 'POST' });
  const { id } = await gateway.send();
  const working = gateway.processAll().catch(() => undefined);
  await gateway.emulator.untilHeld();
  await gateway.stop();
  const again = await startTestGateway({
    dataFolder: gateway.dataFolder,
    emulator: gateway.emulator,
    clock: gateway.clock,
  });
  expect(await again.fax(id)).toMatchObject({
    delivery_state: 'reconciliation_required',
    reconciliation_reason: expect.stringContaining('stopped while the fax was being submitted') as string,
  });
  gateway.emulator.release();
  await working;
  again.clock.advance(600 * SECOND);
  await again.processAll();
  expect((await again.fax(id)).delivery_state).toBe('reconciliation_required');
  expect(gateway.emulator.counts.accepted).toBe(1);
  gateway = again;
});
