import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moveInstallation } from '../../server/composition/move.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { startCutOffProxy } from '../setup/cut-off-proxy.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { allRows, makeFullInstallation } from '../setup/fill-every-table.ts';
import {
  type Fax,
  sendingSettings,
  startTestEmulator,
  startTestGateway,
  type TestGateway,
  textFile,
} from '../setup/gateway.ts';
import { HOUR, ManualClock, SECOND } from '../setup/manual-clock.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { ChildGateway } from './child-gateway.ts';

let folder: string;
let databaseUrl: string;
let emulator: CloudoneEmulator;
const clock = new ManualClock();
const ending: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-move-'));
  databaseUrl = postgresUrl === null ? '' : await createPostgresDatabase(postgresUrl);
  emulator = await startTestEmulator(clock);
});
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
  if (databaseUrl !== '') await dropPostgresDatabase(databaseUrl);
});

const bootAt = (address = databaseUrl): BootOptions => bootOptions(folder, address);

/** A gateway on the data folder, with its records in SQLite or PostgreSQL, which is stopped after the test. */
async function start(on: 'sqlite' | 'postgres'): Promise<TestGateway> {
  const address = on === 'postgres' ? databaseUrl : null;
  const boot = { severalGateways: false };
  const gateway = await startTestGateway({ dataFolder: folder, databaseUrl: address, clock, emulator, boot });
  ending.push(() => gateway.stop());
  return gateway;
}

/** The numbers that the provider accepted a fax to. */
const accepted = () =>
  [...emulator.faxes.values()]
    .map(({ recipients }) => recipients[0]?.phone_number ?? '')
    .toSorted((a, b) => (a < b ? -1 : 1));

async function child(options: { databaseUrl?: string } = {}): Promise<ChildGateway> {
  const codeCache = process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'code');
  const gateway = new ChildGateway(folder, sendingSettings(emulator), { ...options, codeCache });
  ending.push(async () => {
    gateway.resume();
    await gateway.kill();
  });
  if (!(await gateway.ready())) throw new Error(`the gateway did not start: ${gateway.errors}`);
  return gateway;
}

describe.skipIf(postgresUrl === null)(`faxes after a move${withoutPostgres}`, () => {
  test('rule (installation): faxes that waited or were scheduled go out once after a move, and those under way are followed', async () => {
    const before = await start('sqlite');
    const going = await before.send({ to: '+12025550101' });
    await before.processAll();
    const waiting = await before.send({ to: '+12025550102' }, { 'Idempotency-Key': 'once' });
    const later = new Date(clock.now() + HOUR).toISOString();
    const scheduled = await before.send({ to: '+12025550103', send_at: later });
    await before.stop();
    const report = await moveInstallation(bootAt(), 'postgres', { clock });
    expect(report.tables.find(({ name }) => name === 'fax_job')?.rows).toBe(3);
    await expect(start('sqlite')).rejects.toThrow('This installation was moved to the database');
    const after = await start('postgres');
    // A program that had no answer repeats its request.
    expect((await after.send({ to: '+12025550102' }, { 'Idempotency-Key': 'once' })).id).toBe(waiting.id);
    await after.processAll();
    expect(accepted()).toEqual(['+12025550101', '+12025550102']);
    clock.advance(HOUR + SECOND);
    await after.processAll();
    await after.processAll();
    expect(accepted()).toEqual(['+12025550101', '+12025550102', '+12025550103']);
    for (const { id } of [going, waiting, scheduled])
      emulator.complete(String((await after.fax(id)).provider_sid));
    clock.advance(HOUR);
    await after.processAll();
    for (const { id } of [going, waiting, scheduled])
      expect((await after.fax(id)).delivery_state).toBe('success');
    const found = (await (await after.request('GET', '/fax?q=5550103')).json()) as { items: Fax[] };
    expect(found.items.map(({ id }) => id)).toEqual([scheduled.id]);
    await after.stop();
    await moveInstallation(bootAt(), 'sqlite', { clock });
    await expect(start('postgres')).rejects.toThrow('This installation was moved to ');
    const back = await start('sqlite');
    await back.processAll();
    expect(accepted()).toHaveLength(3);
    const last = await back.send({ to: '+12025550104' });
    await back.processAll();
    expect((await back.fax(last.id)).delivery_state).toBe('in_progress');
    expect(await (await back.request('GET', '/access/audit/verify')).json()).toMatchObject({
      first_problem: null,
      end_checked: true,
    });
  });

  test('a fax that a killed gateway was submitting becomes a question after the move', async () => {
    const killed = await child();
    emulator.setFault({ kind: 'slow', method: 'POST' });
    const form = new FormData();
    form.append('to', '+12025550105');
    form.append('file', textFile('Page'));
    const fax = await killed.request<Fax>('POST', '/fax', form);
    await emulator.waitUntilHeld();
    await killed.kill();
    emulator.clearFaults();
    await moveInstallation(bootAt(), 'postgres');
    const after = await start('postgres');
    await after.processAll();
    expect((await after.fax(String(fax?.id))).delivery_state).toBe('reconciliation_required');
    expect(accepted().length).toBeLessThanOrEqual(1);
  }, 60_000);

  test('rule (installation): a gateway that is frozen on a database keeps a move from it', async () => {
    const frozen = await child({ databaseUrl });
    frozen.stop();
    const other = await mkdtemp(join(tmpdir(), 'faxdesk-move-'));
    ending.push(() => rm(other, { recursive: true, force: true }));
    const boot = { ...bootAt(), dataFolder: other };
    await expect(moveInstallation(boot, 'sqlite')).rejects.toThrow('the database; stop every gateway');
  }, 60_000);

  test('a move goes on after PostgreSQL was away in the middle', async () => {
    await makeFullInstallation(folder, 30);
    const { hostname, port } = new URL(databaseUrl);
    const proxy = await startCutOffProxy({ host: hostname, port: Number(port) });
    ending.push(() => proxy.close());
    const through = new URL(databaseUrl);
    through.port = String(proxy.port);
    const cuts: Promise<void>[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }) => {
      if (done > total / 2 && cuts.length === 0) cuts.push(proxy.cut());
    };
    const before = await allRows({ postgresUrl: null, sqliteFile: join(folder, 'faxdesk.sqlite') });
    await expect(moveInstallation(bootAt(through.href), 'postgres', { onProgress })).rejects.toMatchObject({
      code: 'DATABASE_AWAY',
    });
    await Promise.all(cuts);
    await proxy.open();
    const report = await moveInstallation(bootAt(through.href), 'postgres');
    expect(report.isResumed).toBe(true);
    const audit = ['security_event', 'security_chain'];
    const without = Object.fromEntries(Object.entries(before).filter(([name]) => !audit.includes(name)));
    expect(await allRows({ postgresUrl: databaseUrl, sqliteFile: '' }, audit)).toEqual(without);
  }, 60_000);
});
