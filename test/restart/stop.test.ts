import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROVIDERS } from '../../server/composition/providers.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { defineFaxHouse } from '../setup/third-provider/definition.ts';
import { FaxHouse } from '../setup/third-provider/vendor.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

test('a stop waits for a submission that is under way and records its outcome', async () => {
  gateway.emulator.setFault({ kind: 'slow', method: 'POST' });
  const { id } = await gateway.send();
  const working = gateway.processAll();
  await gateway.emulator.waitUntilHeld();
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
  await gateway.emulator.waitUntilHeld();
  await gateway.stop();
  const again = await startTestGateway({
    dataFolder: gateway.dataFolder,
    emulator: gateway.emulator,
    clock: gateway.clock,
  });
  expect(await again.fax(id)).toMatchObject({
    delivery_state: 'reconciliation_required',
    reconciliation_reason: expect.stringContaining('stopped while the fax was being sent') as string,
  });
  gateway.emulator.release();
  await working;
  again.clock.advance(600 * SECOND);
  await again.processAll();
  expect((await again.fax(id)).delivery_state).toBe('reconciliation_required');
  expect(gateway.emulator.counts.accepted).toBe(1);
  gateway = again;
});

test('what is not handed over yet when the gateway stops waits for the next start', async () => {
  await gateway.close();
  const house = new FaxHouse();
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  // Called while the reachability of the provider is checked, before anything is submitted.
  house.reach = async () => {
    reached.resolve();
    await goOn.promise;
  };
  gateway = await startTestGateway({ providers: [...PROVIDERS, defineFaxHouse(house)] });
  await gateway.set({ FAXHOUSE_OFFICE: 'north', FAXHOUSE_KEY: house.key, FAX_BACKEND: 'faxhouse' });
  const { id } = await gateway.send();
  const working = gateway.processAll().catch(() => undefined);
  await reached.promise;
  const stopping = gateway.stop();
  goOn.resolve();
  await Promise.all([stopping, working]);
  expect(house.sent.length).toBe(0);
  gateway = await gateway.restart();
  await gateway.processAll();
  expect(house.sent.length).toBe(1);
  expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'in_progress' });
});
