import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Storage } from '../../server/adapters/storage/port.ts';
import { createArchiveWriter } from '../../server/backup/archive-writer.ts';
import { checkBackup } from '../../server/backup/check-backup.ts';
import { createBackup } from '../../server/backup/create-backup.ts';
import { readBackupContents } from '../../server/backup/read-contents.ts';
import { parseRecipients } from '../../server/backup/recipients.ts';
import { makeIdentity, recipientOf } from '../../server/platform/age/keys.ts';
import { referee } from '../fixtures/referees.ts';
import { needTools } from '../setup/tools.ts';
import { type Installation, makeInstallation, NOW, RELEASE } from './backup-setup.ts';

/** Beyond what 16 bits can count, with the tables and the six documents of the installation. */
const DOCUMENTS = 65_600;
const OF_INSTALLATION = 6;

let folder: string;
let installation: Installation;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-large-'));
  installation = await makeInstallation(null);
});
afterAll(async () => {
  await installation.remove();
  await rm(folder, { recursive: true, force: true });
});

const nameOf = (number: number) => `fax/many-${number}.pdf`;

/** The storage of the installation with many more small documents, each of which `open` gets before it is read. */
function manyDocuments(count: number, opened: (number: number) => void = () => undefined): Storage {
  const { storage } = installation;
  return {
    ...storage,
    async *names(prefix) {
      yield* storage.names(prefix);
      for (let number = 0; number < count; number += 1) yield nameOf(number);
    },
    async open(name) {
      const number = Number(/many-(\d+)/u.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(number)) return storage.open(name);
      opened(number);
      return { stream: Readable.from([Buffer.from(name)], { objectMode: false }), sizeBytes: name.length };
    },
  };
}

function write(
  storage: Storage,
  file: string,
  { signal, recipients = [] }: { signal?: AbortSignal; recipients?: Uint8Array[] } = {},
) {
  const source = {
    store: { postgresUrl: null, sqliteFile: join(installation.folder, 'faxdesk.sqlite') },
    storage,
    keys: {},
    hasEveryKey: () => Promise.resolve(true),
  };
  const parts = { release: RELEASE, clock: { now: () => NOW }, recipients };
  return createBackup(source, file, { ...parts, ...(signal && { signal }) });
}

describe('A backup of many documents', () => {
  it('rule (installation): a backup has more documents than 16 bits can count, and every byte of them is checked', async (context) => {
    needTools(context, 'unzip');
    const file = join(folder, 'many.zip');
    const { files } = await write(manyDocuments(DOCUMENTS), file);
    expect(files).toBe(DOCUMENTS + OF_INSTALLATION);
    const known = { release: RELEASE, identities: null, onProgress: () => undefined };
    expect(await checkBackup(file, known)).toMatchObject({ files: DOCUMENTS + OF_INSTALLATION });
    expect(referee('unzip', ['-tq', file]).toString()).toContain('No errors detected');
    const asked = [nameOf(0), nameOf(DOCUMENTS), nameOf(DOCUMENTS - 1), 'fax/fax-ready.pdf'];
    expect(await readBackupContents(file, asked)).toEqual({
      documents: [nameOf(0), nameOf(DOCUMENTS - 1), 'fax/fax-ready.pdf'],
      keyDigest: null,
    });
  });

  it.each([
    ['plain', []],
    ['encrypted', parseRecipients([recipientOf(makeIdentity())])],
  ])('leaves nothing behind when it is ended in their midst [%s]', async (_, recipients) => {
    const ended = new AbortController();
    const reason = new Error('the gateway stops');
    const storage = manyDocuments(1000, (number) => {
      if (number === 500) ended.abort(reason);
    });
    const before = await readdir(folder);
    await expect(
      write(storage, join(folder, 'ended.zip'), { signal: ended.signal, recipients }),
    ).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual(before);
  });

  it('fails with the error of a document that cannot be read, and an older file stays', async () => {
    const file = join(folder, 'older.zip');
    await write(manyDocuments(1), file);
    const { size } = await stat(file);
    const failing = Object.assign(new Error('the disk fails'), { code: 'EIO' });
    const storage = manyDocuments(1000, (number) => {
      if (number === 500) throw failing;
    });
    await expect(write(storage, file)).rejects.toBe(failing);
    expect((await stat(file)).size).toBe(size);
  });

  it.runIf(process.platform === 'linux')('fails with the error of a full disk, at once', async () => {
    const full = await open('/dev/full', 'w');
    try {
      const archive = createArchiveWriter(full, { madeAt: new Date(NOW), recipients: [] });
      const megabyte = Buffer.alloc(1024 * 1024);
      const adding = (async () => {
        for (;;) await archive.add('files/large', [megabyte], { compress: false });
      })();
      await expect(adding).rejects.toMatchObject({ code: 'ENOSPC' });
      await archive.abandon();
    } finally {
      await full.close();
    }
  });
});
