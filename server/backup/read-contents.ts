import { buffer } from 'node:stream/consumers';
import type { Entry } from 'yauzl';
import { isEncryptedName } from '../platform/backup-name.ts';
import { createBlockReader } from '../platform/block-reader.ts';
import { errorCode } from '../platform/errors.ts';
import { keyDigest } from '../platform/key-state.ts';
import { openZip } from '../platform/zip-reader.ts';
import { openBackupFile } from './backup-file.ts';
import { readContentsRecord } from './contents-record.ts';
import { fileNameOf, keyEntry } from './manifest.ts';

/** Content of a backup: those of the requested documents that are in it, and its data key. */
interface BackupContents {
  readonly documents: readonly string[];
  /** Null without a key. */
  readonly keyDigest: string | null;
}

/**
 * Reads the names in a backup and its data key, and nothing else of it; of an encrypted one by the record beside it, `unknown`
 * without one. Null when it is no whole archive, or gone. Throws the errors of the disk.
 */
export async function readBackupContents(
  path: string,
  documents: readonly string[],
): Promise<BackupContents | 'unknown' | null> {
  if (isEncryptedName(path)) return readContentsRecord(path, documents);
  try {
    const file = await openBackupFile(path, null);
    try {
      const zip = await openZip(file, createBlockReader(file));
      const wanted = new Set(documents);
      const found = new Set<string>();
      let key: Entry | null = null;
      for await (const entry of zip.eachEntry()) {
        const document = fileNameOf(entry.fileName);
        if (document !== null && wanted.has(document)) found.add(document);
        if (entry.fileName === keyEntry('data.key')) key = entry;
      }
      const bytes = key === null ? null : await buffer(await zip.openReadStreamPromise(key));
      return { documents: documents.filter((name) => found.has(name)), keyDigest: keyDigest(bytes) };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    // Errors of the library itself about an archive have no code.
    if (code === '' || code === 'ENOENT') return null;
    throw error;
  }
}
