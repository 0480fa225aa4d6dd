import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import {
  type Fax,
  sendingSettings,
  startTestEmulator,
  startTestGateway,
  textFile,
} from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { ChildGateway } from './child-gateway.ts';

/** A gateway that vanished is replaced within a minute. */
const MINUTE_MS = 60_000;

interface Listed {
  readonly gateways: { readonly this: boolean; readonly works: boolean; readonly state: string }[];
}

describe.skipIf(postgresUrl === null)(`several gateways on one database${withoutPostgres}`, () => {
  let databaseUrl: string;
  let root: string;
  let emulator: CloudoneEmulator;
  let s3: S3Server;
  const children: ChildGateway[] = [];

  beforeEach(async () => {
    databaseUrl = await newPostgresDatabase();
    root = await mkdtemp(join(tmpdir(), 'faxdesk-several-'));
    emulator = await startTestEmulator();
    s3 = await startS3Server();
    // The first start makes the data key, and names the bucket.
    const settings = s3.settings();
    const first = await startTestGateway({
      databaseUrl,
      dataFolder: join(root, 'first'),
      emulator,
      settings,
    });
    await first.stop();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.resume();
      await child.kill();
    }
    await emulator.close();
    await s3.close();
    await rm(root, { recursive: true, force: true });
    await dropPostgresDatabase(databaseUrl);
  });

  async function start(
    name: string,
    options: { skewMs?: number; freezeAt?: string } = {},
  ): Promise<ChildGateway> {
    const folder = join(root, name);
    await mkdir(folder, { recursive: true });
    await cp(join(root, 'first', 'data.key'), join(folder, 'data.key'));
    const codeCache = process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'code');
    const child = new ChildGateway(
      folder,
      { ...sendingSettings(emulator), ...s3.settings() },
      { ...options, databaseUrl, codeCache },
    );
    children.push(child);
    if (!(await child.ready())) throw new Error(`the gateway did not start: ${child.errors}`);
    child.order({ arm: true });
    return child;
  }

  async function send(at: ChildGateway, line: number): Promise<string> {
    const form = new FormData();
    form.append('to', `+120255501${String(line).padStart(2, '0')}`);
    form.append('file', textFile(`Page of fax ${line}`));
    const fax = await at.request<Fax & { detail?: string }>('POST', '/fax', form);
    if (!fax || fax.detail !== undefined) throw new Error(fax?.detail ?? 'no answer');
    return fax.id;
  }

  const stateOf = async (at: ChildGateway, id: string) =>
    (await at.request<Fax>('GET', `/fax/${id}`))?.delivery_state;

  const expectState = (at: ChildGateway, id: string, state: string, timeout = MINUTE_MS) =>
    expect.poll(() => stateOf(at, id), { interval: 200, timeout }).toBe(state);

  const works = async (at: ChildGateway) =>
    (await at.request<Listed>('GET', '/console/gateways'))?.gateways.some((each) => each.this && each.works);

  /** The numbers that the provider accepted a fax to. */
  const accepted = () =>
    [...emulator.faxes.values()]
      .map(({ recipients }) => recipients[0]?.phone_number ?? '')
      .toSorted((a, b) => (a < b ? -1 : 1));

  test('rule (gateways): what a killed gateway was submitting becomes a question, and another sends the rest once', async () => {
    const one = await start('one');
    const two = await start('two');
    const three = await start('three');
    expect([await works(one), await works(two), await works(three)]).toEqual([true, false, false]);
    const before = [await send(one, 1), await send(two, 2), await send(three, 3)];
    for (const id of before) await expectState(two, id, 'in_progress');
    emulator.setFault({ kind: 'slow', method: 'POST' });
    const doubtful = await send(two, 4);
    await emulator.waitUntilHeld();
    const waiting = await send(three, 5);
    await one.kill();
    emulator.clearFaults();
    await expectState(two, doubtful, 'reconciliation_required');
    await expectState(three, waiting, 'in_progress');
    const workers = [await works(two), await works(three)];
    expect(workers.filter(Boolean)).toHaveLength(1);
    // Each number once, whether or not the provider has what it was being handed.
    expect(new Set(accepted()).size).toBe(accepted().length);
  }, 180_000);

  test('rule (gateways): a gateway that was frozen after it marked a fax hands nothing over once another has its work', async () => {
    const one = await start('one', { freezeAt: 'submitting' });
    const two = await start('two');
    const fax = await send(two, 1);
    await expectState(two, fax, 'submitting');
    const other = await send(two, 2);
    await expectState(two, fax, 'reconciliation_required');
    await expectState(two, other, 'in_progress');
    one.resume();
    await expect.poll(() => works(one), { timeout: 20_000 }).toBe(false);
    const later = await send(one, 3);
    await expectState(one, later, 'in_progress');
    // It is certain now that nothing was handed over, which answers the question.
    await expectState(one, fax, 'failed');
    expect(accepted()).toEqual(['+12025550102', '+12025550103']);
  }, 180_000);

  test('rule (gateways): clocks that differ by a minute lead to no question, no second fax and no late take-over', async () => {
    const one = await start('one', { skewMs: MINUTE_MS });
    const two = await start('two', { skewMs: -MINUTE_MS });
    const ids: string[] = [];
    for (let line = 1; line <= 6; line += 1) ids.push(await send(line % 2 === 0 ? one : two, line));
    for (const id of ids) await expectState(two, id, 'in_progress', 90_000);
    await one.kill();
    const later = await send(two, 7);
    await expectState(two, later, 'in_progress');
    expect(accepted()).toHaveLength(7);
  }, 240_000);

  test('a killed gateway that is started again goes on at once', async () => {
    const one = await start('one');
    const two = await start('two');
    const fax = await send(two, 1);
    await expectState(two, fax, 'in_progress');
    await one.kill();
    const again = await start('one');
    expect(await works(again)).toBe(true);
    const next = await send(two, 2);
    await expectState(two, next, 'in_progress', 10_000);
    expect(accepted()).toHaveLength(2);
  }, 120_000);

  test('a gateway that is stopped leaves its work to another at once', async () => {
    const one = await start('one');
    const two = await start('two');
    one.order({ stop: true });
    await one.ended;
    await expect.poll(() => works(two), { timeout: 10_000 }).toBe(true);
    const fax = await send(two, 1);
    await expectState(two, fax, 'in_progress');
    expect((await two.request<Listed>('GET', '/console/gateways'))?.gateways).toHaveLength(1);
  }, 120_000);
});
