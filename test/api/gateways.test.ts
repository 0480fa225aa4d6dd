import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { outcomeOf } from '../../server/cli/exit-codes.ts';
import { startProblem } from '../../server/composition/start-problem.ts';
import { openDatabase } from '../../server/db/database.ts';
import { checkBeforeMigration, checkOthers } from '../../server/features/gateways/check-others.ts';
import { settleRestoredGateways } from '../../server/features/gateways/offline.ts';
import type { GatewayRow, OwnGateway } from '../../server/features/gateways/types.ts';
import type { Gateways } from '../../shared/api/gateways.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';

type Listed = z.infer<typeof Gateways>;

const listed = async (gateway: TestGateway) =>
  (await (await gateway.request('GET', '/console/gateways')).json()) as Listed;

test('the gateway of a built-in database is listed alone', async () => {
  const gateway = await startTestGateway();
  expect(await listed(gateway)).toMatchObject({
    several: false,
    gateways: [{ this: true, state: 'running', works: true }],
  });
  await gateway.close();
});

describe.skipIf(postgresUrl === null)(`gateways on one PostgreSQL database${withoutPostgres}`, () => {
  let databaseUrl: string;
  let one: TestGateway;
  const folders: string[] = [];

  beforeEach(async () => {
    databaseUrl = await newPostgresDatabase();
  });
  afterEach(async () => {
    await one.close();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    await dropPostgresDatabase(databaseUrl);
  });

  async function startBeside(options: TestGatewayOptions = {}): Promise<TestGateway> {
    const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-beside-'));
    folders.push(dataFolder);
    const { clock, emulator } = one;
    return startTestGateway({ databaseUrl, clock, emulator, dataFolder, ...options });
  }

  async function refusal(options: TestGatewayOptions): Promise<string | null> {
    const error: unknown = await startBeside(options).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(outcomeOf(error).exitCode).toBe(10);
    return startProblem(error);
  }

  test('rule (gateways): a second gateway on a database is refused, unless both were started for it', async () => {
    one = await startTestGateway({ databaseUrl, boot: { severalGateways: false } });
    expect(await refusal({ boot: { severalGateways: false } })).toMatch(
      /^Another gateway \(.+\) works on this database; its last sign of life was \d+ seconds ago\. Stop it, or set SEVERAL_GATEWAYS=on for every gateway\./u,
    );
    expect(await refusal({})).toMatch(/It was started without SEVERAL_GATEWAYS=on: stop it first\./u);
    expect((await listed(one)).gateways).toHaveLength(1);
    // A gateway that was stopped, or is started again, is in nobody's way.
    one = await one.restart({ boot: { severalGateways: true } });
    const two = await startBeside();
    expect((await listed(two)).gateways.map(({ this: isThis }) => isThis).toSorted(byTruth)).toEqual([
      false,
      true,
    ]);
    await two.stop();
    expect((await listed(one)).gateways).toHaveLength(1);
  });

  test('rule (gateways): the requests of a key are limited over all gateways together', async () => {
    const settings = { MAX_REQUESTS_PER_MINUTE: '20' };
    one = await startTestGateway({ databaseUrl, settings });
    const two = await startBeside({ settings });
    const request = async (gateway: TestGateway) => {
      const answer = await gateway.request('GET', '/fax/counts');
      await answer.arrayBuffer();
      return { status: answer.status, left: answer.headers.get('RateLimit') ?? '' };
    };
    expect((await request(one)).left).toMatch(/^"requests";r=19;t=\d+$/u);
    expect((await request(two)).left).toMatch(/^"requests";r=18;t=\d+$/u);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => request(n % 2 === 0 ? one : two)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(18);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(42);
    expect((await request(two)).left).toMatch(/^"requests";r=0;t=\d+$/u);
    await two.stop();
  });

  test('a gateway of a release that cannot work beside the others is refused', async () => {
    one = await startTestGateway({ databaseUrl });
    const db = openDatabase({ postgresUrl: databaseUrl, sqliteFile: '' });
    await db.transaction((tx) =>
      tx.updateTable('gateway').set({ works_with: 99, release: '9.9.9' }).execute(),
    );
    await db.close();
    expect(await refusal({})).toMatch(/Its release \(9\.9\.9\) cannot work beside this one/u);
  });

  test('a gateway that vanished is reported, and no reason against a start', async () => {
    one = await startTestGateway({ databaseUrl });
    const db = openDatabase({ postgresUrl: databaseUrl, sqliteFile: '' });
    await db.transaction((tx) =>
      tx
        .insertInto('gateway')
        .values({ ...ROW, several: 0, started_at: 1, seen_at: Date.now() - 60_000 })
        .execute(),
    );
    await db.close();
    const two = await startBeside();
    expect((await listed(two)).gateways).toContainEqual(
      expect.objectContaining({ name: ROW.name, state: 'gone', works: false }),
    );
    const health = (await (await two.request('GET', '/health/ready')).json()) as { warnings: string[] };
    expect(health.warnings).toContain(
      'The gateway desk:8080 has not been seen for 1 min. What it was sending needs confirmation.',
    );
    await two.stop();
    const restored = openDatabase({ postgresUrl: databaseUrl, sqliteFile: '' });
    await restored.transaction((tx) => settleRestoredGateways(tx));
    expect(await restored.read.selectFrom('gateway').selectAll().execute()).toEqual([]);
    await restored.close();
  });
});

const byTruth = (a: boolean, b: boolean): number => Number(a) - Number(b);

const ROW: OwnGateway = { id: 'a', run: 'r', name: 'desk:8080', release: '0.1.0', works_with: 1, several: 1 };
const other = (more: Partial<GatewayRow>): GatewayRow => ({
  ...ROW,
  id: 'b',
  run: 's',
  started_at: 1,
  seen_at: 1,
  age: 100,
  ...more,
});

test('rule (gateways): no release migrates a database while another gateway works on it', () => {
  expect(() => checkBeforeMigration(ROW, [other({})])).toThrow(/Stop every gateway, back up/u);
  expect(() => checkBeforeMigration(ROW, [other({ age: 30_000 })])).not.toThrow();
  expect(() => checkBeforeMigration(ROW, [other({ id: ROW.id })])).not.toThrow();
});

test('a gateway that comes back while another has a copy of its data folder takes no part', () => {
  expect(() => checkOthers(ROW, [other({ id: ROW.id })], { isStart: false })).toThrow(
    /uses a copy of this data folder/u,
  );
  expect(() => checkOthers(ROW, [other({ id: ROW.id })], { isStart: true })).not.toThrow();
});
