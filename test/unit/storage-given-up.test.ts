import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import { createObjectStorage } from '../../server/adapters/storage/objects.ts';
import type { Storage } from '../../server/adapters/storage/port.ts';

const TURNS = 500;
const PLACE = {
  bucket: 'faxes',
  prefix: '',
  region: null,
  endpoint: null,
  kmsKeyId: null,
  isPathStyle: true,
  credentials: null,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-given-up-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A bucket without documents. */
function emptyBucket() {
  const texts = new Map<string, string>();
  return {
    text: async (key: string) => texts.get(key) ?? null,
    putIfNone: async (key: string, text: string) => !texts.has(key) && texts.set(key, text) !== undefined,
    remove: async (key: string) => void texts.delete(key),
    async *list() {},
    close: () => undefined,
  };
}

/** A folder whose mark is read a second time, after `hold`, only once `go` was called; `isHeld` resolves when it is about to be. */
function heldMark(local: Storage) {
  const [gate, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let left = Number.POSITIVE_INFINITY;
  const readMark = async () => {
    left -= 1;
    if (left === 0) {
      held.resolve();
      await gate.promise;
    }
    return local.readMark();
  };
  const hold = () => {
    left = 2;
  };
  return { local: { ...local, readMark }, hold, isHeld: held.promise, go: gate.resolve };
}

test('a bucket that a move gives up is not taken again by a look at it in that moment', async () => {
  const own = await createLocalStorage(join(folder, 'files'));
  await own.writeMark({ installation: 'one', generation: 1, database: 'sqlite' });
  const { local, hold, isHeld, go } = heldMark(own);
  const bucket = emptyBucket();
  let isOn = true;
  const storage = createObjectStorage({
    local,
    settings: { isOn: () => isOn, place: () => PLACE },
    open: () => bucket,
    folder: join(folder, 'work'),
  } as unknown as Parameters<typeof createObjectStorage>[0]);
  await storage.bucket.refresh();
  expect(await own.readMark()).toHaveProperty('bucket');
  isOn = false;
  hold();
  const looking = storage.bucket.refresh();
  await isHeld;
  const moving = storage.bucket.move('');
  for (let turns = 0; turns < TURNS && (await own.readMark())?.bucket !== undefined; turns += 1) await turn();
  go();
  await Promise.all([looking, moving]);
  expect(await own.readMark()).not.toHaveProperty('bucket');
});
