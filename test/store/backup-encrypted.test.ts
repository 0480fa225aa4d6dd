import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openArchive } from '../../server/backup/archive.ts';
import { SealedBackupError } from '../../server/backup/backup-file.ts';
import { readContentsRecord, writeContentsRecord } from '../../server/backup/contents-record.ts';
import { BackupError, DamagedBackupError } from '../../server/backup/errors.ts';
import { readRecipients } from '../../server/backup/recipients.ts';
import { openDatabase } from '../../server/db/database.ts';
import { migrations } from '../../server/db/migrations/index.ts';
import { type AgeIdentity, makeIdentity, recipientOf } from '../../server/platform/age/keys.ts';
import {
  backUp,
  emptyLocation,
  type Installation,
  makeInstallation,
  RELEASE,
  restore,
} from './backup-setup.ts';

const identity = makeIdentity();
const other = makeIdentity();

let folder: string;
let installation: Installation;
let file: string;
let good: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-encrypted-'));
  installation = await makeInstallation(null);
  file = join(folder, 'good.zip.age');
  await backUp(installation, file, { recipients: [other.publicKey, identity.publicKey] });
  good = await readFile(file);
});
afterAll(async () => {
  await installation.remove();
  await rm(folder, { recursive: true, force: true });
});

const open = (path: string, identities: readonly AgeIdentity[] | null) =>
  openArchive(path, { release: RELEASE, migrations: migrations.map(({ name }) => name), identities });

/** Restores bytes into an empty location: the error, after which the location must still be empty; null without one. */
async function refusal(content: Buffer, identities: readonly AgeIdentity[] | null = [identity]) {
  const path = join(folder, `${randomBytes(6).toString('hex')}.zip.age`);
  await writeFile(path, content);
  const location = await emptyLocation(null);
  try {
    const error = await restore(path, { dataFolder: location.folder, identities }).then(
      () => null,
      (reason: unknown) => reason as Error,
    );
    if (error !== null) expect(await readdir(location.folder)).toEqual([]);
    return error;
  } finally {
    await location.remove();
    await rm(path);
  }
}

describe('An encrypted backup', () => {
  test('rule (installation): an encrypted backup holds nothing plain, and nothing plain lies beside it', async () => {
    expect(good.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    for (const plain of ['PK\u0003\u0004', 'manifest.json', 'tables/', 'data.key'])
      expect(good.includes(plain), plain).toBe(false);
    expect(await readdir(folder)).toEqual(['good.zip.age']);
  });

  it('has the same content as a plain one', async () => {
    const plain = join(folder, 'plain.zip');
    await backUp(installation, plain);
    const [encrypted, readable] = await Promise.all([open(file, [identity]), open(plain, null)]);
    expect(encrypted.manifest).toEqual(readable.manifest);
    await encrypted.close();
    await readable.close();
    await rm(plain);
  });

  it('restores with the identity of each recipient', async () => {
    expect(await refusal(good, [identity])).toBeNull();
    expect(await refusal(good, [makeIdentity(), other])).toBeNull();
  });

  it('is refused without an identity and with another one, in one sentence', async () => {
    const without = await refusal(good, null);
    expect(without).toBeInstanceOf(SealedBackupError);
    expect(without?.message).toBe(
      'This backup is encrypted and opens only with its identity; nothing was changed.',
    );
    expect((await refusal(good, [makeIdentity()]))?.message).toBe(
      'This identity does not open the backup, which was encrypted for another recipient; nothing was changed.',
    );
  });

  it('is refused wherever one byte was flipped or it was cut off', async () => {
    const header = good.indexOf('\n--- ') + 60;
    const offsets = [
      300,
      header,
      ...Array.from(
        { length: 20 },
        (_, at) => header + 1 + Math.floor((at / 19) * (good.length - header - 2)),
      ),
    ];
    for (const offset of offsets) {
      const damaged = Buffer.from(good);
      damaged[offset] = (damaged[offset] ?? 0) ^ 0x10;
      expect(await refusal(damaged), `byte ${offset}`).toBeInstanceOf(BackupError);
    }
    for (const part of [0.01, 0.2, 0.5, 0.999])
      expect(await refusal(good.subarray(0, Math.floor(good.length * part)))).toBeInstanceOf(
        DamagedBackupError,
      );
    expect(await refusal(Buffer.concat([good, Buffer.from('x')]))).toBeInstanceOf(DamagedBackupError);
  });
});

describe('The record beside an encrypted backup', () => {
  const made = {
    keyDigest: 'a'.repeat(64),
    entries: ['files/fax/one.pdf', 'files/fax/two.pdf', 'tables/fax_job.ndjson'].map((name) => ({
      name,
      size: 1,
      sha256: 'b'.repeat(64),
    })),
  };

  it('tells its documents and its data key without naming them', async () => {
    await writeContentsRecord(file, { ...made, sizeBytes: good.length });
    expect(await readContentsRecord(file, ['fax/two.pdf', 'fax/three.pdf'])).toEqual({
      documents: ['fax/two.pdf'],
      keyDigest: made.keyDigest,
    });
    expect(await readFile(`${file}.contents`, 'utf8')).not.toContain('two');
  });

  it('counts for no other file, and one without a record is unknown', async () => {
    await writeContentsRecord(file, { ...made, sizeBytes: good.length + 1 });
    expect(await readContentsRecord(file, [])).toBeNull();
    await rm(`${file}.contents`);
    expect(await readContentsRecord(file, [])).toBe('unknown');
    expect(await readContentsRecord(join(folder, 'gone.zip.age'), [])).toBeNull();
  });
});

describe('The recipients of the settings', () => {
  const store = () => ({ postgresUrl: null, sqliteFile: join(installation.folder, 'faxdesk.sqlite') });
  const save = async (value: string | null) => {
    const db = openDatabase(store());
    await db.transaction(async (tx) => {
      await tx.deleteFrom('setting').where('name', '=', 'BACKUP_RECIPIENTS').execute();
      if (value !== null)
        await tx.insertInto('setting').values({ name: 'BACKUP_RECIPIENTS', value, generation: 1 }).execute();
    });
    await db.close();
  };

  it('are read without a gateway', async () => {
    expect(await readRecipients(store())).toEqual([]);
    await save(JSON.stringify([recipientOf(identity)]));
    expect(await readRecipients(store())).toEqual([Buffer.from(identity.publicKey)]);
    await save('[]');
    expect(await readRecipients(store())).toEqual([]);
  });

  test('rule (installation): a backup whose recipients cannot be read is not written plain instead', async () => {
    for (const value of ['nonsense', '"age1"', '["age1nothing"]', '[1]']) {
      await save(value);
      await expect(readRecipients(store()), value).rejects.toThrow('so no backup was written');
    }
    await save(null);
  });
});
