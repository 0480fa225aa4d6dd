import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BootOptions } from '../../server/config/boot.ts';
import { openDatabase } from '../../server/db/database.ts';
import { SEALED_COLUMNS } from '../../server/db/sealed-columns.ts';
import { pagesOf } from '../../server/db/table-pages.ts';
import { createSeal, isSealedText } from '../../server/platform/seal.ts';
import { INSTALLATION_KEY, sendingSettings, startTestGateway } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';
import { runChild } from './run-child.ts';

export interface DataKeyChildPlan {
  readonly boot: BootOptions;
  readonly environment: Record<string, string>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** True to begin a replacement; false to go on with one. */
  readonly begins: boolean;
  /** Step at which it is killed, from 1; null for none. */
  readonly killAt: number | null;
}

/** Kills spread over all steps of a replacement; each starts two processes. */
const KILLS = { sqlite: 8, postgres: 6 };
const CHILD = join(import.meta.dirname, 'data-key-child.ts');

const keysIn = async (folder: string) =>
  Buffer.from((await readFile(join(folder, 'data.key'), 'utf8')).trim(), 'base64');

/** Columns with a text that the key alone does not open. */
async function leftBehind(boot: BootOptions, key: Uint8Array): Promise<string[]> {
  const db = openDatabase({
    postgresUrl: boot.databaseUrl,
    sqliteFile: join(boot.dataFolder, 'faxdesk.sqlite'),
  });
  const seal = createSeal(key);
  const found: string[] = [];
  try {
    for (const { table, column, context } of SEALED_COLUMNS)
      for await (const { rows } of pagesOf(db, table, null))
        for (const row of rows) {
          const value = row[column];
          if (typeof value !== 'string' || !isSealedText(value)) continue;
          try {
            seal.open(value, context(row));
          } catch {
            found.push(`${table}.${column}`);
          }
        }
  } finally {
    await db.close();
  }
  return found;
}

describe.each(STORES)('a replacement of the data key on %s', (store) => {
  test('rule (data-key): a replacement that is killed at any step goes on at the next start and loses nothing', async () => {
    const databaseUrl = store === 'postgres' ? await newPostgresDatabase() : null;
    const settings = { ENCRYPT_DOCUMENTS: 'true' };
    const own = { severalGateways: false };
    let gateway = await startTestGateway({ databaseUrl, settings, boot: own });
    const { dataFolder, clock, emulator } = gateway;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await gateway.send({ to: `+1202555013${n}` })).id);
    await gateway.processAll();
    await gateway.stop();
    const boot: BootOptions = {
      dataFolder,
      host: '127.0.0.1',
      port: 0,
      databaseUrl,
      apiKey: INSTALLATION_KEY,
      requireApiKey: true,
      dataKey: null,
      libreOffice: null,
    };
    const environment = { ...sendingSettings(emulator), ...settings };
    const run = (begins: boolean, killAt: number | null) => {
      clock.advance(600_000);
      const plan: DataKeyChildPlan = { boot, environment, now: clock.now(), begins, killAt };
      return runChild<{ steps: number; isDone: boolean }>(CHILD, plan);
    };
    const whole = await run(true, null);
    expect(whole?.isDone).toBe(true);
    const steps = whole?.steps ?? 0;
    const kills = KILLS[store];
    expect(steps).toBeGreaterThan(kills);
    for (let kill = 0; kill < kills; kill += 1) {
      const killAt = 1 + Math.floor((kill * steps) / kills);
      const before = await keysIn(dataFolder);
      await run(true, killAt);
      const result = await run(false, null);
      const keys = await keysIn(dataFolder);
      expect([killAt, result?.isDone, keys.length]).toEqual([killAt, true, 32]);
      expect([killAt, await leftBehind(boot, keys)]).toEqual([killAt, []]);
      if (killAt > steps / 4) expect([killAt, keys.equals(before)]).toEqual([killAt, false]);
    }
    gateway = await startTestGateway({ databaseUrl, settings, boot: own, dataFolder, clock, emulator });
    for (const id of ids) {
      const answer = await gateway.request('GET', `/fax/${id}/document`);
      expect([answer.status, (await answer.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    }
    await gateway.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  }, 400_000);
});
