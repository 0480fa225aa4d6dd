import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { WRAPPED_BYTES } from '../../server/platform/file-cipher.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import { newHeaderOf } from '../../server/platform/sealed-header.ts';
import {
  documentOf,
  finishReplacement,
  keyState,
  keysIn,
  leftBehind,
  pathOfDocument,
  replaceKey,
} from '../setup/data-keys.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { mountSmallDisk, type SmallDisk } from '../setup/small-disk.ts';

const SETTINGS = { ENCRYPT_DOCUMENTS: 'true' };
const found = await mountSmallDisk(24);
const reason = 'unavailable' in found ? found.unavailable : null;
const disk = found as SmallDisk;

/** So that the next commit needs new room. */
function emptyLog(dataFolder: string): void {
  const store = new BetterSqlite(join(dataFolder, 'faxdesk.sqlite'));
  store.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
}

describe.skipIf(reason !== null)(`a full disk${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test('rule (data-key): a full disk refuses a replacement, and lets one under way wait, without any loss', async () => {
    let gateway = await startTestGateway({ dataFolder: join(disk.folder, 'data'), settings: SETTINGS });
    try {
      const { id } = await gateway.send();
      const former = await keysIn(gateway.dataFolder);
      emptyLog(gateway.dataFolder);
      await disk.fill();
      const refused = await replaceKey(gateway);
      expect([refused.status, refused.body.detail]).toEqual([
        507,
        'The disk is full. Nothing was recorded. Free up space and try again.',
      ]);
      expect(await keysIn(gateway.dataFolder)).toEqual(former);
      await disk.makeRoom();
      expect((await keyState(gateway)).replacement).toBeNull();
      expect((await replaceKey(gateway)).status).toBe(202);
      emptyLog(gateway.dataFolder);
      await disk.fill();
      // The queue cannot record what it does either.
      await gateway.processAll().catch(() => undefined);
      expect((await keysIn(gateway.dataFolder)).length).toBe(64);
      await disk.makeRoom();
      expect((await documentOf(gateway, id)).status).toBe(200);
      gateway.clock.advance(MINUTE);
      await finishReplacement(gateway);
      expect((await keyState(gateway)).replacement).toBeNull();
      const next = await keysIn(gateway.dataFolder);
      expect([next.length, await leftBehind(gateway.dataFolder, next)]).toEqual([32, []]);
      gateway = await gateway.restart();
      expect((await documentOf(gateway, id)).status).toBe(200);
    } finally {
      await gateway.close();
      await disk.remove();
    }
  });
});

describe('a power failure while a header is written', () => {
  let gateway: TestGateway | null = null;
  afterEach(async () => {
    await gateway?.close();
    gateway = null;
  });

  /** Leaves a journal and half of the new header, as a power failure may. */
  async function tear(given: TestGateway, id: string): Promise<void> {
    const { dataFolder } = given;
    const path = await pathOfDocument(given, id);
    await given.stop();
    const keys = await keysIn(dataFolder);
    const newFirst = Buffer.concat([keys.subarray(32), keys.subarray(0, 32)]);
    const header = newHeaderOf(path, createFileSealer(newFirst));
    if (header === null || header === 'unreadable') throw new Error('nothing to renew');
    const journal = [{ path: path.slice(dataFolder.length + 1), ...header }];
    await writeFile(join(dataFolder, 'new-headers.json'), JSON.stringify(journal));
    await using file = await open(path, 'r+');
    await file.write(Buffer.from(header.header, 'base64').subarray(0, WRAPPED_BYTES / 2), 0, undefined, 0);
  }

  test('rule (data-key): a header that a power failure left half written is completed before the gateway opens anything', async () => {
    gateway = await startTestGateway({ settings: SETTINGS });
    const { id } = await gateway.send();
    await replaceKey(gateway);
    const before = await documentOf(gateway, id);
    await tear(gateway, id);
    const { dataFolder, clock, emulator } = gateway;
    gateway = await startTestGateway({ settings: SETTINGS, dataFolder, clock, emulator });
    // No background work has run yet.
    expect((await documentOf(gateway, id)).bytes).toEqual(before.bytes);
    expect(await readdir(dataFolder)).not.toContain('new-headers.json');
    await finishReplacement(gateway);
    expect((await keyState(gateway)).replacement).toBeNull();
    expect((await documentOf(gateway, id)).bytes).toEqual(before.bytes);
  });

  test('a journal of documents that are gone or others by now changes nothing', async () => {
    gateway = await startTestGateway({ settings: SETTINGS });
    const { id } = await gateway.send();
    const before = await documentOf(gateway, id);
    const path = await pathOfDocument(gateway, id);
    const { dataFolder, clock, emulator } = gateway;
    await gateway.stop();
    const bytes = await readFile(path);
    const other = { salt: Buffer.alloc(16).toString('base64'), header: Buffer.alloc(76).toString('base64') };
    const journal = ['files/fax/gone.pdf', path.slice(dataFolder.length + 1)].map((name) => ({
      path: name,
      ...other,
    }));
    await writeFile(join(dataFolder, 'new-headers.json'), JSON.stringify(journal));
    gateway = await startTestGateway({ settings: SETTINGS, dataFolder, clock, emulator });
    expect(await readFile(path)).toEqual(bytes);
    expect((await documentOf(gateway, id)).bytes).toEqual(before.bytes);
  });
});
