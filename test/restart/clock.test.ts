import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

const state = async (id: string) => (await gateway.fax(id)).delivery_state;

async function startCopy(of: TestGateway): Promise<TestGateway> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-copy-'));
  await cp(of.dataFolder, dataFolder, { recursive: true });
  return startTestGateway({ dataFolder, emulator: of.emulator, clock: of.clock });
}

async function completeAndPoll(): Promise<void> {
  for (const id of gateway.emulator.faxes.keys()) gateway.emulator.complete(id);
  gateway.clock.advance(31 * SECOND);
  await gateway.processAll();
}

test('a clock that is set back by a day after the acceptance does not delay the fax', async () => {
  const { id } = await gateway.send();
  gateway.clock.advance(-DAY);
  await gateway.processAll();
  expect(await state(id)).toBe('in_progress');
  gateway.clock.advance(-DAY);
  await completeAndPoll();
  expect(await state(id)).toBe('success');
  expect(gateway.emulator.counts.accepted).toBe(1);
  const kinds = (await gateway.history(id)).map((event) => event.kind);
  expect(kinds).toEqual(['accepted', 'submitting', 'in_progress', 'success']);
});

test('a clock that is set back between two polls does not stop the polls', async () => {
  const { id } = await gateway.send();
  await gateway.processAll();
  for (let round = 0; round < 15; round += 1) {
    gateway.clock.advance(10 * MINUTE);
    await gateway.processAll();
  }
  gateway.clock.advance(-DAY);
  await completeAndPoll();
  expect(await state(id)).toBe('success');
});

test('a clock that is set back does not make a waiting fax wait longer', async () => {
  await gateway.emulator.refuseConnections();
  const { id } = await gateway.send();
  await gateway.processAll();
  await gateway.emulator.acceptConnections();
  gateway.clock.advance(-DAY);
  await gateway.processAll();
  expect(await state(id)).toBe('in_progress');
  expect(gateway.emulator.counts.accepted).toBe(1);
});

test('a fax of a killed worker is settled at the next start although the clock was set back', async () => {
  const { id } = await gateway.send();
  gateway.emulator.setFault({ kind: 'slow', method: 'POST' });
  const working = gateway.processAll();
  await gateway.emulator.waitUntilHeld();
  // The store as a killed process leaves it: copied while the submission is under way.
  const copy = await startCopy(gateway);
  copy.clock.advance(-DAY);
  await copy.processAll();
  expect((await copy.fax(id)).delivery_state).toBe('reconciliation_required');
  await copy.stop();
  await rm(copy.dataFolder, { recursive: true, force: true });
  gateway.emulator.release();
  await working;
  expect(gateway.emulator.counts.accepted).toBe(1);
});

test('a clock that jumps ahead by two days opens one question, and the outcome still counts', async () => {
  const { id } = await gateway.send();
  await gateway.processAll();
  gateway.clock.advance(2 * DAY);
  await gateway.processAll();
  const asked = await gateway.fax(id);
  expect(asked).toMatchObject({ delivery_state: 'reconciliation_required' });
  for (let round = 0; round < 6; round += 1) {
    gateway.clock.advance(HOUR);
    await gateway.processAll();
  }
  // A person's decision must not become stale by polls that bring nothing new.
  expect((await gateway.fax(id)).delivery_version).toBe(asked.delivery_version);
  expect(
    (await gateway.history(id)).filter((event) => event.kind === 'reconciliation_required'),
  ).toHaveLength(1);
  await completeAndPoll();
  gateway.clock.advance(HOUR);
  await gateway.processAll();
  expect(await state(id)).toBe('success');
});

test('a gateway that was off for two weeks checks again and then opens a question', async () => {
  const { id } = await gateway.send();
  await gateway.processAll();
  gateway.clock.advance(14 * DAY);
  gateway = await gateway.restart();
  await gateway.processAll();
  expect(await state(id)).toBe('reconciliation_required');

  const other = await gateway.send();
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(other.id)).provider_sid));
  gateway.clock.advance(14 * DAY);
  await gateway.processAll();
  expect(await state(other.id)).toBe('success');
});

test('a history keeps its order when the clock is set back over a restart', async () => {
  const { id } = await gateway.send();
  await gateway.processAll();
  gateway.clock.advance(-DAY);
  gateway = await gateway.restart();
  await completeAndPoll();
  const history = await gateway.history(id);
  expect(history.map((event) => event.kind)).toEqual(['accepted', 'submitting', 'in_progress', 'success']);
});
