import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BootOptions } from '../../server/config/boot.ts';
import { openDatabase } from '../../server/db/database.ts';
import type { StoreLocation } from '../../server/db/snapshot.ts';
import { findMove, moveSentence } from '../../server/features/gateways/room.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { allRows, makeFullInstallation } from '../setup/fill-every-table.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { type MoveChildResult, runMoveChild } from './move-run.ts';

/** Kills while rows are copied; the steps of the end are then killed one after the other. */
const KILLS = 10;
/** The completed move is recorded there. */
const AUDIT = ['security_event', 'security_chain'];

let folder: string;
let databaseUrl: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-move-'));
  databaseUrl = postgresUrl === null ? '' : await createPostgresDatabase(postgresUrl);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  if (databaseUrl !== '') await dropPostgresDatabase(databaseUrl);
});

const bootOf = (): BootOptions => bootOptions(folder, databaseUrl);
const sqlite = (): StoreLocation => ({ postgresUrl: null, sqliteFile: join(folder, 'faxdesk.sqlite') });
const postgres = (): StoreLocation => ({ postgresUrl: databaseUrl, sqliteFile: '' });

/** Returns true when a gateway that starts on the store would find an installation there and take it. */
async function takesGateways(location: StoreLocation): Promise<boolean> {
  const db = openDatabase(location);
  try {
    const record = await findMove(db);
    if (record !== null && moveSentence(record) !== null) return false;
    const found = await db.read
      .selectFrom('installation')
      .select('id')
      .executeTakeFirst()
      .catch(() => undefined);
    return found !== undefined;
  } finally {
    await db.close();
  }
}

/** Moves with kills at places spread over the work, then at each step of the end. Returns the result of the last run. */
async function moveWithKills(to: 'sqlite' | 'postgres', steps: number): Promise<MoveChildResult> {
  const [source, target] = to === 'postgres' ? [sqlite(), postgres()] : [postgres(), sqlite()];
  let kills = 0;
  for (;;) {
    const killAt = kills < KILLS ? Math.ceil(steps / (KILLS + 2)) : kills - KILLS + 1;
    const result = await runMoveChild({ boot: bootOf(), to, killAt });
    const usable = [await takesGateways(source), await takesGateways(target)];
    expect([to, kills, usable.filter(Boolean).length <= 1]).toEqual([to, kills, true]);
    if (result !== null) {
      expect(usable).toEqual([false, true]);
      expect(kills).toBeGreaterThan(KILLS + 3);
      return result;
    }
    kills += 1;
  }
}

describe.skipIf(postgresUrl === null)(`a move to another database${withoutPostgres}`, () => {
  test('rule (installation): a move that is killed at more than ten places and continued brings over every row, there and back, and never lets gateways start on both databases', async () => {
    await makeFullInstallation(folder, 40);
    const before = await allRows(sqlite());
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    // Two commits for each table and page, and those of the beginning and the end.
    const steps = Object.keys(before).length * 2;
    const there = await moveWithKills('postgres', steps);
    expect(there.maxBytes).toBeLessThan(400 * 1024 * 1024);
    expect(await allRows(sqlite())).toEqual(before);
    const without = Object.fromEntries(Object.entries(before).filter(([name]) => !AUDIT.includes(name)));
    expect(await allRows(postgres(), AUDIT)).toEqual(without);
    await moveWithKills('sqlite', steps);
    expect(await allRows(sqlite(), AUDIT)).toEqual(without);
  }, 400_000);
});
