import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { HOUR } from '../../setup/manual-clock.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import { populate } from '../world/populate.ts';
import type { World } from '../world/world.ts';

const COUNTS = { small: 1, large: 8 };

/** Lost, older and foreign stores, and missing documents: the start is refused and no file changes. */
export const stores: Episode = {
  name: 'stores',
  summary: 'a store that is lost, an older copy or of another installation; documents that are elsewhere',
  stores: ['sqlite', 'postgres'],
  unavailable: () => null,
  run: async (context) => runAndJudge(await openWorld(context), (world) => swapStores(world, context)),
};

async function swapStores(world: World, context: EpisodeContext): Promise<{ faults: number }> {
  const count = COUNTS[context.size];
  const locations = world.store === 'sqlite' ? sqliteLocations(world) : postgresLocations(world);
  const random = context.random('faxes');
  await startWith(world, async () => populate(world, { from: 0, count, random }));
  await locations.saveCopy('older');
  // Newer by more than an hour, within which a copy cannot be distinguished from the store itself.
  await startWith(world, async () => {
    world.advance(2 * HOUR);
    await populate(world, { from: count, count, random });
  });
  await locations.makeForeign(context);
  await locations.saveCopy('present');
  let faults = 0;
  for (const which of ['none', 'older', 'foreign'] as const) {
    await locations.swapIn(which);
    await expectRefused(world, which);
    faults += 1;
  }
  await locations.swapIn('present');
  await hideDocuments(world);
  await locations.close();
  await startWith(world, async () => undefined);
  return { faults: faults + 1 };
}

async function startWith(world: World, work: () => Promise<void>): Promise<void> {
  if (!(await world.start()))
    throw new Error(`the gateway does not start: ${world.gateway?.output.slice(-400)}`);
  await work();
  await world.stop();
}

/** Expects a start to end with exit code 6 and a sentence, and every document to stay where it was. */
async function expectRefused(world: World, which: string): Promise<void> {
  const before = await documentsOf(world);
  const isReady = await world.start();
  if (isReady) {
    world.complaints.push(`a gateway started with this store: ${which}`);
    await world.stop();
  } else {
    const code = (await world.gateway?.ended)?.code;
    const lastLine = world.gateway?.output.trim().split('\n').at(-1) ?? '';
    if (code !== 6)
      world.complaints.push(`a start with this store ended with ${code}: ${which}: ${lastLine}`);
    if (!lastLine.includes(world.dataFolder))
      world.complaints.push(`a refused start names no folder: ${lastLine}`);
  }
  const after = await documentsOf(world);
  if (String(after) !== String(before)) world.complaints.push(`documents were moved or removed: ${which}`);
}

async function documentsOf(world: World): Promise<string[]> {
  const names = await readdir(join(world.dataFolder, 'files'), { recursive: true });
  return names.filter((name) => name.endsWith('.pdf')).sort();
}

/** Simulates a disk that is not connected: the store exists, its documents do not. */
async function hideDocuments(world: World): Promise<void> {
  const [files, hidden] = [join(world.dataFolder, 'files'), join(world.folder, 'hidden')];
  await rename(files, hidden);
  await mkdir(files, { mode: 0o700 });
  if (await world.start()) world.complaints.push('a gateway started without the documents of its store');
  await world.stop();
  await rm(files, { recursive: true, force: true });
  await rename(hidden, files);
}

/** Keeps copies of stores, and swaps one of them in. */
interface StoreLocations {
  saveCopy(as: 'older' | 'present'): Promise<void>;
  /** Makes the store of another installation. */
  makeForeign(context: EpisodeContext): Promise<void>;
  swapIn(which: 'none' | 'older' | 'foreign' | 'present'): Promise<void>;
  close(): Promise<void>;
}

function sqliteLocations(world: World): StoreLocations {
  const at = (name: string) => join(world.folder, `kept-${name}`);
  const copy = async (from: string, to: string) => {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from))
      if (name.startsWith('faxdesk.sqlite')) await cp(join(from, name), join(to, name));
  };
  return {
    saveCopy: (as) => copy(world.dataFolder, at(as)),
    async makeForeign(context) {
      const other = await otherWorld(context);
      await copy(other.dataFolder, at('foreign'));
      await other.close();
    },
    async swapIn(which) {
      for (const name of await readdir(world.dataFolder))
        if (name.startsWith('faxdesk.sqlite')) await rm(join(world.dataFolder, name));
      if (which !== 'none') await copy(at(which), world.dataFolder);
    },
    close: async () => undefined,
  };
}

/** Creates another installation with a fax of its own. */
async function otherWorld(context: EpisodeContext): Promise<World> {
  const other = await openWorld(context);
  await startWith(other, () => populate(other, { from: 500, count: 1, random: context.random('foreign') }));
  return other;
}

function postgresLocations(world: World): StoreLocations {
  const present = world.environment['DATABASE_URL'] ?? '';
  const older = withDatabase(present, `${nameOf(present)}_older`);
  let foreign: World | null = null;
  return {
    saveCopy: async (as) => {
      if (as === 'older')
        await admin(present, `create database ${nameOf(older)} template ${nameOf(present)}`);
    },
    async makeForeign(context) {
      foreign = await otherWorld(context);
    },
    async swapIn(which) {
      delete world.environment['DATABASE_URL'];
      const url = { none: null, older, foreign: foreign?.databaseUrl ?? null, present }[which];
      if (url !== null) world.environment['DATABASE_URL'] = url;
    },
    async close() {
      await admin(present, `drop database ${nameOf(older)}`);
      await foreign?.close();
      // Files that the start without a database created beside the documents.
      for (const name of await readdir(world.dataFolder))
        if (name.startsWith('faxdesk.sqlite')) await rm(join(world.dataFolder, name));
    },
  };
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function admin(url: string, query: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase(url, 'postgres') });
  await client.connect();
  try {
    await client.query(query);
  } finally {
    await client.end();
  }
}
