import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type * as Mark from '../../server/adapters/storage/mark.ts';
import { openStore } from '../../server/composition/store.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { Database } from '../../server/db/database.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { copyStore, DATABASES, documentsIn, newDatabase, newFolder, newGateway } from './storage-setup.ts';

class Killed extends Error {}

const kill = vi.hoisted(() => ({ at: 0, step: 0, steps: [] as string[] }));

/** From the step on nothing happens any more, as after a kill. */
function reach(label: string): void {
  kill.step += 1;
  kill.steps.push(label);
  if (kill.at > 0 && kill.step >= kill.at) throw new Killed(label);
}

vi.mock('../../server/adapters/storage/mark.ts', async (original) => {
  const real = await original<typeof Mark>();
  const writeMark: typeof real.writeMark = async (...given) => {
    reach('before the mark');
    await real.writeMark(...given);
    reach('after the mark');
  };
  return { ...real, writeMark };
});

const { transaction } = Database.prototype;
vi.spyOn(Database.prototype, 'transaction').mockImplementation(async function <T>(
  this: Database,
  work: (tx: never) => Promise<T>,
) {
  const result = await transaction.call(this, async (tx) => {
    const done = await work(tx as never);
    reach('before a commit');
    return done;
  });
  reach('after a commit');
  return result;
});

afterEach(() => {
  kill.at = 0;
});

/** Opens the store and ends; killed at a step when one is named. Answers whether it came to its end. */
async function openOnce(boot: BootOptions, at = 0): Promise<boolean> {
  Object.assign(kill, { at, step: 0, steps: [] });
  try {
    const { db } = await openStore(boot, systemClock);
    await db.close();
    return true;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return false;
  } finally {
    kill.at = 0;
  }
}

function bootOf(dataFolder: string, databaseUrl: string | null): BootOptions {
  const keys = { apiKey: INSTALLATION_KEY, requireApiKey: true, dataKey: null };
  return { dataFolder, databaseUrl, host: '127.0.0.1', port: 0, ...keys };
}

async function forget({ dataFolder, databaseUrl }: BootOptions): Promise<void> {
  await rm(join(dataFolder, 'files'), { recursive: true, force: true });
  if (databaseUrl === null) return copyStore(await newFolder(), dataFolder);
  const { openDatabase } = await import('../../server/db/database.ts');
  const db = openDatabase({ postgresUrl: databaseUrl, sqliteFile: '' });
  await db.unrestricted.deleteFrom('installation').execute();
  await db.close();
}

/** On PostgreSQL the gateway enters itself among those on the database first. */
const ENTERING = ['before a commit', 'after a commit'];
const JOINING = ['before a commit', 'after a commit', 'before the mark', 'after the mark'];

describe.each(DATABASES)('a start on $name', ({ isPostgres, skip }) => {
  test.skipIf(skip)(
    'rule (storage): a start killed while it joins store and documents can be repeated',
    async () => {
      const boot = bootOf(await newFolder(), isPostgres ? await newDatabase() : null);
      expect(await openOnce(boot)).toBe(true);
      const entering = isPostgres ? ENTERING : [];
      expect(kill.steps).toEqual([...entering, ...JOINING, ...JOINING]);
      const { length } = kill.steps;
      for (let at = 1; at <= length; at += 1) {
        await forget(boot);
        expect(await openOnce(boot, at)).toBe(false);
        expect(await openOnce(boot)).toBe(true);
      }
      expect(await openOnce(boot)).toBe(true);
      expect(kill.steps).toEqual([...entering, ...JOINING]);
      // Again and again at the same step, with no whole start in between.
      for (let at = 1; at <= entering.length + JOINING.length; at += 1)
        for (let n = 0; n < 3; n += 1) expect(await openOnce(boot, at)).toBe(false);
      expect(await openOnce(boot)).toBe(true);
    },
  );
});

test('a start that moves documents aside and is killed at any step loses none of them', async () => {
  const gateway = await newGateway();
  for (let n = 0; n < 2; n += 1) await gateway.send();
  await gateway.stop();
  const template = await newFolder();
  await cp(join(gateway.dataFolder, 'files'), join(template, 'files'), { recursive: true });
  // Before the first commit nothing of it is there yet, and after the last mark all.
  for (const at of [2, 3, 4, 6, 7]) {
    const dataFolder = await newFolder();
    await cp(template, dataFolder, { recursive: true });
    const boot = bootOf(dataFolder, null);
    expect(await openOnce({ ...boot, acceptEmptyStore: true }, at)).toBe(false);
    expect(await openOnce(boot)).toBe(true);
    const names = await readdir(join(dataFolder, 'files/set-aside'), { recursive: true });
    expect(names.filter((name) => name.endsWith('.pdf'))).toHaveLength(2);
  }
  expect(await documentsIn(gateway)).toHaveLength(2);
});
