import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBackupContents } from '../../server/backup/read-contents.ts';
import { readEnvironment } from '../../server/config/env.ts';
import { membersByDirectory } from '../../server/platform/read-stored-zip.ts';
import { zipLayout, zipStream } from '../../server/platform/stored-zip.ts';
import { classifyCost, growthOf } from '../setup/worst-inputs/growth.ts';
import { MAIL_READERS } from '../setup/worst-inputs/mail.ts';
import { fill, KB } from '../setup/worst-inputs/reader.ts';
import { TEXT_READERS } from '../setup/worst-inputs/texts.ts';
import { WIRE_READERS } from '../setup/worst-inputs/wire.ts';

describe.each(Object.entries({ ...MAIL_READERS, ...WIRE_READERS, ...TEXT_READERS }))(
  '%s',
  (_reader, { most, where, attacks }) => {
    it.each(attacks)('%s is read in linear time', async (_hostile, work) => {
      expect(await growthOf(work, most)).toBe('linear');
      if (where === 'loop') expect(await classifyCost(work(most))).toBe('short');
    });
  },
);

describe('a file on the disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faxdesk-worst-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const saved = async (name: string, bytes: string | Buffer) => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };
  /** A zip of so many empty files, some of one name. */
  const zipOf = (files: number) =>
    buffer(
      zipStream(
        zipLayout(
          Array.from({ length: files }, (_, at) => ({ name: `${at % 5000}`, sizeBytes: 0, crc32: 0 })),
        ),
        () => [],
      ),
    );

  it('that is an archive of evidence has its directory read up to the hundredth file', async () => {
    const paths = await Promise.all(
      [100, 101, 5000].map(async (files) => saved(`${files}.zip`, await zipOf(files))),
    );
    const found = await Promise.all(paths.map(membersByDirectory));
    expect(found.map((members) => members?.length ?? null)).toEqual([100, null, null]);
    const [few = '', , many = ''] = paths;
    expect(await classifyCost(() => membersByDirectory(few))).toBe('short');
    expect(await classifyCost(() => membersByDirectory(many))).toBe('short');
  });

  it('that is a backup of thousands of files is looked into in linear time', async () => {
    const paths = new Map<number, string>();
    for (const files of [1000, 4000]) paths.set(files, await saved(`b${files}.zip`, await zipOf(files)));
    const look = (files: number) => () => readBackupContents(paths.get(files) ?? '', ['a']);
    expect(await growthOf(look, 4000)).toBe('linear');
  });

  it.each([
    ['of quotes', '"'],
    ['of names', 'A=B\n'],
    ['of one name', 'A='],
    ['of line ends', '\r\n'],
  ])('that is an environment %s is read in linear time', async (name, piece) => {
    const folders = new Map<number, string>();
    for (const size of [256 * KB, KB * KB]) {
      const own = await mkdtemp(join(folder, `env-${name.length}-`));
      await writeFile(join(own, '.env'), fill(piece, size));
      folders.set(size, own);
    }
    const work = (size: number) => () => readEnvironment(folders.get(size) ?? '', {});
    expect(await growthOf(work, KB * KB)).toBe('linear');
  });
});
