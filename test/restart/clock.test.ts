import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

let desk: TestGateway;
beforeEach(async () => {
  desk = await startTestGateway();
});
afterEach(() => desk.close());

const state = async (id: string) => (await desk.fax(id)).delivery_state;

async function startCopy(of: TestGateway): Promise<TestGateway> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-copy-'));
  await cp(of.dataFolder, dataFolder, { recursive: true });
  return startTestGateway({ dataFolder, emulator: of.emulator, clock: of.clock });
}

async function completeAndPoll(): Promise<void> {
  for (const id of desk.emulator.faxes.keys()) desk.emulator.complete(id);
  desk.clock.advance(31 * SECOND);
  await desk.gateway.processAll();
}

test('a clock that is set back by a day after the acceptance does not delay the fax', async () => {
  const { id } = await desk.send();
  desk.clock.advance(-DAY);
  await desk.gateway.processAll();
  expect(await state(id)).toBe('in_progress');
  desk.clock.advance(-DAY);
  await completeAndPoll();
  expect(await state(id)).toBe('success');
  expect(desk.emulator.counts.accepted).toBe(1);
  const kinds = (await desk.history(id)).map((event) => event.kind);
  expect(kinds).toEqual(['accepted', 'submitting', 'in_progress', 'success']);
});

test('a clock that is set back between two polls does not stop the polls', async () => {
  const { id } = await desk.send();
  await desk.gateway.processAll();
  for (let round = 0; round < 15; round += 1) {
    desk.clock.advance(10 * MINUTE);
    await desk.gateway.processAll();
  }
  desk.clock.advance(-DAY);
  await completeAndPoll();
  expect(await state(id)).toBe('success');
});

test('a clock that is set back does not make a waiting fax wait longer', async () => {
  await desk.emulator.refuseConnections();
  const { id } = await desk.send();
  await desk.gateway.processAll();
  await desk.emulator.acceptConnections();
  desk.clock.advance(-DAY);
  await desk.gateway.processAll();
  expect(await state(id)).toBe('in_progress');
  expect(desk.emulator.counts.accepted).toBe(1);
});

test('a fax of a killed worker is settled at the next start although the clock was set back', async () => {
  const { id } = await desk.send();
  desk.emulator.setFault({ kind: 'slow', method: 'POST' });
  const working = desk.gateway.processAll();
  await desk.emulator.untilHeld();
  // The store as a killed process leaves it: copied while the submission is under way.
  const copy = await startCopy(desk);
  copy.clock.advance(-DAY);
  await copy.gateway.processAll();
  expect((await copy.fax(id)).delivery_state).toBe('reconciliation_required');
  await copy.gateway.stop();
  await rm(copy.dataFolder, { recursive: true, force: true });
  desk.emulator.release();
  await working;
  expect(desk.emulator.counts.accepted).toBe(1);
});

test('a clock that jumps ahead by two days asks a person once, and the outcome still counts', async () => {
  const { id } = await desk.send();
  await desk.gateway.processAll();
  desk.clock.advance(2 * DAY);
  await desk.gateway.processAll();
  const asked = await desk.fax(id);
  expect(asked).toMatchObject({ delivery_state: 'reconciliation_required' });
  for (let round = 0; round < 6; round += 1) {
    desk.clock.advance(HOUR);
    await desk.gateway.processAll();
  }
  // A person's decision must not become stale by polls that bring nothing new.
  expect((await desk.fax(id)).delivery_version).toBe(asked.delivery_version);
  expect((await desk.history(id)).filter((event) => event.kind === 'reconciliation_required')).toHaveLength(
    1,
  );
  await completeAndPoll();
  desk.clock.advance(10 * MINUTE);
  await desk.gateway.processAll();
  expect(await state(id)).toBe('success');
});

test('a gateway that was off for two weeks looks once more and then asks a person', async () => {
  const { id } = await desk.send();
  await desk.gateway.processAll();
  desk.clock.advance(14 * DAY);
  desk = await desk.restart();
  await desk.gateway.processAll();
  expect(await state(id)).toBe('reconciliation_required');

  const other = await desk.send();
  await desk.gateway.processAll();
  desk.emulator.complete(String((await desk.fax(other.id)).provider_sid));
  desk.clock.advance(14 * DAY);
  await desk.gateway.processAll();
  expect(await state(other.id)).toBe('success');
});

test('a history keeps its order when the clock is set back over a restart', async () => {
  const { id } = await desk.send();
  await desk.gateway.processAll();
  desk.clock.advance(-DAY);
  desk = await desk.restart();
  await completeAndPoll();
  const history = await desk.history(id);
  expect(history.map((event) => event.kind)).toEqual(['accepted', 'submitting', 'in_progress', 'success']);
});
