import { mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import {
  type Storage,
  StorageNameError,
  type UnclaimedDocument,
} from '../../server/adapters/storage/port.ts';
import { openDatabase } from '../../server/db/database.ts';
import { createUpkeep } from '../../server/features/storage/upkeep.ts';
import { isSealed } from '../../server/platform/file-cipher.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import { DAY } from '../setup/manual-clock.ts';

const NAME = 'fax/a.pdf';
const CONTENT = Buffer.from('%PDF of a fax');
const WHY = { since: '2026-11-21T09:00:00.000Z', reason: 'No fax names this document.' };

let folder: string;
let isSealing: boolean;
let storage: Storage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-unclaimed-'));
  isSealing = false;
  storage = await createLocalStorage(folder, {
    sealer: createFileSealer(Buffer.alloc(32, 7)),
    isOn: () => isSealing,
    renewHeader: async () => false,
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function all<T>(things: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const thing of things) found.push(thing);
  return found;
}

async function unclaimed(): Promise<UnclaimedDocument> {
  await storage.write(NAME, CONTENT);
  expect(await storage.unclaimed.add(NAME, WHY)).toBe(true);
  const [document] = await all(storage.unclaimed.list());
  return document as UnclaimedDocument;
}

const contentOf = async (name: string) => buffer((await storage.open(name)).stream);

test('an unclaimed document is not listed, and is put back complete under its name', async () => {
  const document = await unclaimed();
  expect(document).toMatchObject({ name: NAME, sizeBytes: CONTENT.length, ...WHY });
  expect(await all(storage.names(''))).toEqual([]);
  expect(await all(storage.list(''))).toEqual([]);
  expect(await storage.exists(NAME)).toBe(false);
  expect(await storage.unclaimed.add(NAME, WHY)).toBe(false);
  expect(await storage.unclaimed.putBack(document)).toBe(true);
  expect(await contentOf(NAME)).toEqual(CONTENT);
  expect(await readdir(join(folder, 'unclaimed'))).toEqual([]);
});

test('an unclaimed document does not replace another document under its name', async () => {
  const document = await unclaimed();
  await storage.write(NAME, Buffer.from('another'));
  expect(await storage.unclaimed.putBack(document)).toBe(false);
  expect(await contentOf(NAME)).toEqual(Buffer.from('another'));
  expect(await all(storage.unclaimed.list())).toEqual([document]);
});

test('an unclaimed document is encrypted with the others, and opens after it was put back', async () => {
  const document = await unclaimed();
  isSealing = true;
  await storage.sealStored();
  expect(isSealed(await readFile(join(folder, 'unclaimed', document.id)))).toBe(true);
  expect(await storage.unclaimed.putBack(document)).toBe(true);
  expect(await contentOf(NAME)).toEqual(CONTENT);
});

test('a kill between record and move leaves the document where it was, and a record that is removed after its time', async () => {
  const { id } = await unclaimed();
  await rename(join(folder, 'unclaimed', id), join(folder, NAME));
  expect(await all(storage.unclaimed.list())).toEqual([]);
  expect(await all(storage.names(''))).toEqual([NAME]);
  const [record = ''] = await readdir(join(folder, 'unclaimed'));
  await utimes(join(folder, 'unclaimed', record), new Date(1_000), new Date(1_000));
  expect(await storage.removeTemporary(1_000)).toBe(0);
  expect(await storage.removeTemporary(2_000)).toBe(1);
  expect(await readdir(join(folder, 'unclaimed'))).toEqual([]);
});

test('a damaged record is skipped, and nothing is removed because of it', async () => {
  const { id } = await unclaimed();
  await writeFile(join(folder, 'unclaimed', `${id}.record.json`), '{"name":');
  expect(await all(storage.unclaimed.list())).toEqual([]);
  expect(await storage.removeTemporary(Number.MAX_SAFE_INTEGER)).toBe(0);
  expect(await readdir(join(folder, 'unclaimed'))).toHaveLength(2);
});

test.each(['installation.json', 'unclaimed/a.pdf', 'set-aside/a.pdf'])(
  'no document is called %s',
  async (name) => {
    await expect(storage.write(name, CONTENT)).rejects.toThrow(StorageNameError);
  },
);

test('documents that are set aside keep their names, and are not listed', async () => {
  await storage.write(NAME, CONTENT);
  await storage.write('fax/b.pdf', CONTENT);
  const aside = await storage.setAside([NAME], '20261121090000');
  expect(aside).toBe(join(storage.root ?? '', 'set-aside', '20261121090000'));
  expect(await readFile(join(aside ?? '', NAME))).toEqual(CONTENT);
  expect(await all(storage.names(''))).toEqual(['fax/b.pdf']);
  expect(await storage.listSetAside()).toEqual([aside]);
  expect(await storage.setAside([], '20261121090001')).toBeNull();
});

test('with a damaged store no document becomes unclaimed, and no unclaimed document is removed', async () => {
  await unclaimed();
  await storage.write('fax/b.pdf', CONTENT);
  const later = Date.parse(WHY.since) + 40 * DAY;
  const db = openDatabase({ postgresUrl: null, sqliteFile: ':memory:' });
  const upkeep = createUpkeep({
    db,
    storage,
    bucket: {
      state: () => ({ backend: 'local', address: null, problem: null, removals: 0 }),
      refresh: async () => {},
    },
    owners: [{ prefix: 'fax/', findKept: async () => new Set<string>(), hasAny: async () => false }],
    clock: { now: () => later },
    logger: createLogger({ write: () => undefined }),
    dataFolder: folder,
  });
  db.damage.reportDamage('a page is not what was written');
  upkeep.begin();
  upkeep.clearAfterStart();
  await upkeep.stop();
  await db.close();
  expect((await all(storage.unclaimed.list())).map(({ name }) => name)).toEqual([NAME]);
  expect(await storage.exists('fax/b.pdf')).toBe(true);
});
