import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DamagedBackupError, NewerBackupError } from '../../server/backup/errors.ts';
import { archiveOf, entriesOf, type GoodBackup, readGoodBackup } from './backup-forged.ts';
import { emptyLocation, restore } from './backup-setup.ts';

let folder: string;
let good: Buffer;
let parts: ReadonlyMap<string, Buffer>;
let manifest: GoodBackup['manifest'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-damage-'));
  ({ bytes: good, parts, manifest } = await readGoodBackup());
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Restores a file into an empty location: the error, after which the location must still be empty. */
async function refusal(content: Buffer): Promise<unknown> {
  const file = join(folder, `${randomBytes(6).toString('hex')}.zip`);
  await writeFile(file, content);
  const location = await emptyLocation(null);
  try {
    const error = await restore(file, { dataFolder: location.folder }).then(
      () => null,
      (reason: unknown) => reason,
    );
    // The lock stays: another process may have it open by then.
    const left = (await readdir(location.folder)).filter((name) => name !== 'gateway.lock');
    if (error !== null) expect(left).toEqual([]);
    return error;
  } finally {
    await location.remove();
    await rm(file);
  }
}

describe('A damaged backup', () => {
  it('is refused wherever one byte was flipped', async () => {
    const offsets = Array.from({ length: 40 }, (_, step) => Math.floor((step / 39) * (good.length - 1)));
    for (const offset of offsets) {
      const damaged = Buffer.from(good);
      damaged[offset] = (damaged[offset] ?? 0) ^ 0x10;
      expect(await refusal(damaged), `byte ${offset}`).toBeInstanceOf(DamagedBackupError);
    }
  });

  it('is refused wherever it was cut off', async () => {
    for (const part of [0, 0.2, 0.5, 0.9, 0.999])
      expect(await refusal(good.subarray(0, Math.floor(good.length * part)))).toBeInstanceOf(
        DamagedBackupError,
      );
  });

  it('is refused when something was appended, or when it is another file', async () => {
    expect(await refusal(Buffer.concat([good, Buffer.from('x')]))).toBeInstanceOf(DamagedBackupError);
    expect(await refusal(randomBytes(5000))).toBeInstanceOf(DamagedBackupError);
    expect(await refusal(Buffer.from('short'))).toBeInstanceOf(DamagedBackupError);
  });
});

describe('A forged backup', () => {
  it('passes only when it is what its manifest says', async () => {
    expect(await refusal(await archiveOf(parts, JSON.stringify(manifest)))).toBeNull();
  });

  it('is refused when a digest of an entry is not right, though the whole is marked', async () => {
    const changed = new Map(parts).set('files/fax/fax-ready.pdf', Buffer.from('%PDF of reads'));
    expect(await refusal(await archiveOf(changed, JSON.stringify(manifest)))).toBeInstanceOf(
      DamagedBackupError,
    );
  });

  it.each([
    'files/../../escape.pdf',
    'files/fax/../../../escape.pdf',
    'files//etc/passwd',
    'files/.new-x/../y',
    'keys/other.key',
    'somewhere/else',
    'gateway.lock',
  ])('is refused with an entry named %s', async (name) => {
    const more = new Map(parts).set(name, Buffer.from('x'));
    const text = JSON.stringify({ ...manifest, entries: entriesOf(more) });
    expect(await refusal(await archiveOf(more, text))).toBeInstanceOf(DamagedBackupError);
  });

  it.each([
    ['cannot be read', '{"id":'],
    ['cannot be read', '[1]'],
    ['cannot be read', '7'],
    ['does not fit', '{"id":"x"}'],
    ['does not fit', '{"no_such_column":1}'],
    ['does not fit', '{"id":{"a":1}}'],
  ])('is refused when a row %s: %s', async (reason, row) => {
    const altered = new Map(parts).set('tables/fax_attempt.ndjson', Buffer.from(`${row}\n`));
    const text = JSON.stringify({ ...manifest, entries: entriesOf(altered) });
    const error = await refusal(await archiveOf(altered, text));
    expect(error).toBeInstanceOf(DamagedBackupError);
    expect((error as Error).message).toContain(`fax_attempt has a row that ${reason}`);
  });

  it('is refused when a record has a state that there is not', async () => {
    const name = 'tables/fax_attempt.ndjson';
    const content = parts.get(name)?.toString() ?? '';
    expect(content).toContain('"phase":"submitting"');
    const altered = new Map(parts).set(
      name,
      Buffer.from(content.replace('"phase":"submitting"', '"phase":"nonsense"')),
    );
    const error = await refusal(
      await archiveOf(altered, JSON.stringify({ ...manifest, entries: entriesOf(altered) })),
    );
    expect(error).toBeInstanceOf(DamagedBackupError);
    expect((error as Error).message).toContain('its records do not fit together');
  });

  it('is refused when entries are missing, surplus or named twice', async () => {
    const fewer = new Map(parts);
    fewer.delete('tables/fax_job.ndjson');
    expect(await refusal(await archiveOf(fewer, JSON.stringify(manifest)))).toBeInstanceOf(
      DamagedBackupError,
    );
    const text = JSON.stringify({ ...manifest, entries: entriesOf(fewer) });
    expect(await refusal(await archiveOf(fewer, text))).toBeInstanceOf(DamagedBackupError);
    const more = new Map(parts).set('files/surplus.pdf', Buffer.from('x'));
    expect(await refusal(await archiveOf(more, JSON.stringify(manifest)))).toBeInstanceOf(DamagedBackupError);
    const twice = { ...manifest, entries: [...manifest.entries, manifest.entries[0]] };
    expect(await refusal(await archiveOf(parts, JSON.stringify(twice)))).toBeInstanceOf(DamagedBackupError);
  });

  it.each([
    ['is not JSON', 'nothing'],
    ['is of another product', JSON.stringify({ product: 'other', format: 1, release: '1' })],
    ['has a table of another form', null],
  ])('is refused when its manifest %s', async (_, text) => {
    const wrong = text ?? JSON.stringify({ ...manifest, tables: [{ name: 'fax_job; drop', rows: 1 }] });
    expect(await refusal(await archiveOf(parts, wrong))).toBeInstanceOf(DamagedBackupError);
  });

  it('is refused when a count of rows is not right, and then nothing is left behind', async () => {
    const tables = manifest.tables.map((table) => ({ ...table, rows: table.rows + 1 }));
    const file = await archiveOf(parts, JSON.stringify({ ...manifest, tables }));
    const location = await emptyLocation(null);
    await writeFile(join(folder, 'rows.zip'), file);
    await expect(restore(join(folder, 'rows.zip'), { dataFolder: location.folder })).rejects.toThrow(
      DamagedBackupError,
    );
    expect((await readdir(location.folder)).filter((name) => !name.startsWith('gateway.lock'))).toEqual([]);
    await location.remove();
  });
});

describe('A backup of a newer release', () => {
  it.each([
    ['release', { release: '0.10.0' }],
    ['format', { format: 2 }],
    ['migration', { migrations: ['001-first-release', '002-later'] }],
  ])('is refused by its %s', async (_, facts) => {
    const file = await archiveOf(parts, JSON.stringify({ ...manifest, ...facts }));
    expect(await refusal(file)).toBeInstanceOf(NewerBackupError);
  });

  it('is distinguished from one that was cut', async () => {
    await writeFile(join(folder, 'cut.zip'), good);
    await truncate(join(folder, 'cut.zip'), good.length - 1);
    await expect(restore(join(folder, 'cut.zip'), { dataFolder: folder })).rejects.toThrow('damaged');
  });
});
