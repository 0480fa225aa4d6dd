import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openArchive } from '../../server/backup/archive.ts';
import { MarkingStream, UNMARKED } from '../../server/backup/completeness-mark.ts';
import { MANIFEST_NAME, type Manifest, type ManifestEntry } from '../../server/backup/manifest.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { createZipWriter } from '../../server/platform/zip-writer.ts';
import { makeBackup, NOW, RELEASE } from './backup-setup.ts';

export interface GoodBackup {
  readonly bytes: Buffer;
  readonly parts: ReadonlyMap<string, Buffer>;
  readonly manifest: Manifest & { entries: ManifestEntry[] };
}

/** Makes a backup of a small installation, with the parts that it has. */
export async function readGoodBackup(): Promise<GoodBackup> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-good-'));
  try {
    const file = join(folder, 'good.zip');
    await makeBackup(file);
    const archive = await openArchive(file, { release: RELEASE, migrations: ['001-first-release'] });
    const parts = new Map<string, Buffer>();
    for await (const { name, read } of archive.members())
      parts.set(name, await buffer(Readable.from(await read())));
    await archive.close();
    const manifest = { ...archive.manifest, entries: entriesOf(parts) };
    return { bytes: await readFile(file), parts, manifest };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates a zip with a valid mark over any content, as a person who knows the format could. */
export async function archiveOf(entries: ReadonlyMap<string, Buffer>, text: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const zip = createZipWriter({ write: (piece) => void pieces.push(piece), madeAt: new Date(NOW) });
  for (const [name, content] of entries) await zip.add(name, [content], { compress: true });
  await zip.add(MANIFEST_NAME, [Buffer.from(text)], { compress: true });
  await zip.finish(UNMARKED);
  return marked(Buffer.concat(pieces));
}

/** Replaces the last 64 bytes by the digest of everything before them. */
export function marked(bytes: Buffer): Promise<Buffer> {
  const marking = new MarkingStream();
  marking.end(bytes);
  return buffer(marking);
}

export function entriesOf(contents: ReadonlyMap<string, Buffer>): ManifestEntry[] {
  return [...contents].map(([name, content]) => ({ name, size: content.length, sha256: sha256Hex(content) }));
}
