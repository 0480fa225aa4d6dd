import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { openArchive } from '../../server/backup/archive.ts';
import { MarkingStream, UNMARKED } from '../../server/backup/completeness-mark.ts';
import { MANIFEST_NAME, type Manifest } from '../../server/backup/manifest.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { makeBackup, RELEASE } from './backup-setup.ts';

export interface GoodBackup {
  readonly bytes: Buffer;
  readonly parts: ReadonlyMap<string, Buffer>;
  readonly manifest: Manifest;
}

/** Makes a backup of a small installation, with the parts that it has. */
export async function readGoodBackup(): Promise<GoodBackup> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-good-'));
  try {
    const file = join(folder, 'good.zip');
    await makeBackup(file);
    const archive = await openArchive(file, { release: RELEASE, migrations: ['001-first-release'] });
    const parts = new Map<string, Buffer>();
    for (const { name } of archive.manifest.entries)
      parts.set(name, await buffer(await archive.stream(name)));
    await archive.close();
    return { bytes: await readFile(file), parts, manifest: archive.manifest };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates a zip with a valid mark over any content, as a person who knows the format could. */
export async function archiveOf(entries: ReadonlyMap<string, Buffer>, text: string): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of entries) zip.addBuffer(content, name.replaceAll('..', '@@'));
  zip.addBuffer(Buffer.from(text), MANIFEST_NAME);
  zip.end({ comment: UNMARKED, forceZip64Format: false });
  const bytes = await buffer(zip.outputStream as Readable);
  if (![...entries.keys()].some((name) => name.includes('..'))) return marked(bytes);
  // The writer of zip files refuses such names; a malicious one does not.
  return marked(Buffer.from(bytes.toString('latin1').replaceAll('@@', '..'), 'latin1'));
}

/** Replaces the last 64 bytes by the digest of everything before them. */
export function marked(bytes: Buffer): Promise<Buffer> {
  const marking = new MarkingStream();
  marking.end(bytes);
  return buffer(marking);
}

export function entriesOf(contents: ReadonlyMap<string, Buffer>): Manifest['entries'] {
  return [...contents].map(([name, content]) => ({ name, size: content.length, sha256: sha256Hex(content) }));
}
