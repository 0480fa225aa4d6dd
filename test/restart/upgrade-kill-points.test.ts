import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EarlierInstallation } from '../../server/composition/upgrade.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { generateInstallation, movedRows, rowsOf } from '../setup/earlier-installation.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';
import { runUpgradeChild, type UpgradeChildResult } from './upgrade-run.ts';

const NOW = Date.UTC(2026, 10, 26, 9);
const KILLS = 20;
/** The upgrade continues after each kill, so the steps from one to the next are a part of all. */
const MOST_STEPS = 15;

let root: string;
let earlier: EarlierInstallation;
const databases: string[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'faxdesk-upgrade-kill-'));
  earlier = generateInstallation(root, { jobs: 600, received: 150, everySentDocument: 3 });
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  for (const url of databases) await dropPostgresDatabase(url);
});

async function newBoot(target: 'sqlite' | 'postgres', name: string): Promise<BootOptions> {
  const databaseUrl = target === 'postgres' ? await newPostgresDatabase() : null;
  if (databaseUrl !== null) databases.push(databaseUrl);
  const dataFolder = await mkdtemp(join(root, `${target}-${name}-`));
  return bootOptions(dataFolder, databaseUrl);
}

const locationOf = ({ dataFolder, databaseUrl }: BootOptions) => ({
  postgresUrl: databaseUrl,
  sqliteFile: join(dataFolder, 'faxdesk.sqlite'),
});

/** Numbers from 0 to 1, the same ones for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each(STORES)(
  `rule (installation): an upgrade that is killed at 20 random places and continued has the result of one that was not [on %s]`,
  async (target) => {
    const whole = await newBoot(target, 'whole');
    const expected = await runUpgradeChild({ boot: whole, earlier, now: NOW, killAt: null });
    const broken = await newBoot(target, 'broken');
    const random = randomNumbers(7);
    let kills = 0;
    let result: UpgradeChildResult | null = null;
    while (result === null) {
      const killAt = kills < KILLS ? 1 + Math.floor(random() * MOST_STEPS) : null;
      result = await runUpgradeChild({ boot: broken, earlier, now: NOW, killAt });
      if (result === null) kills += 1;
    }
    expect(kills).toBe(KILLS);
    // The size of the bench differs in its number of pages alone.
    expect(expected?.maxBytes ?? 0).toBeLessThan(400 * 1024 * 1024);
    expect([result.counts, result.noteCount]).toEqual([expected?.counts, expected?.noteCount]);
    const [a, b] = [await movedRows(locationOf(whole)), await movedRows(locationOf(broken))];
    expect(Object.keys(b)).toEqual(Object.keys(a));
    for (const [table, rows] of Object.entries(a)) expect([table, b[table]]).toEqual([table, rows]);
    const filesOf = async (boot: BootOptions) =>
      (await rowsOf<{ artifact: string | null }>(locationOf(boot), 'fax_job'))
        .map(({ artifact }) => artifact ?? '')
        .sort((a, b) => (a < b ? -1 : 1));
    expect(await filesOf(broken)).toEqual(await filesOf(whole));
  },
  400_000,
);
