import { migrations } from '../db/migrations/index.ts';
import type { AgeIdentity } from '../platform/age/keys.ts';
import { openArchive } from './archive.ts';
import { keyEntry, type Manifest } from './manifest.ts';

/** Facts of a backup of which every byte was checked. */
interface CheckedBackup {
  readonly manifest: Manifest;
  readonly rows: number;
  readonly files: number;
  readonly hasDataKey: boolean;
}

/** Reads every byte of a backup and restores nothing. Throws BackupError and its kinds. */
export async function checkBackup(
  file: string,
  options: {
    release: string;
    identities: readonly AgeIdentity[] | null;
    onProgress: (step: { bytes: number }) => void;
  },
): Promise<CheckedBackup> {
  const archive = await openArchive(file, { ...options, migrations: migrations.map(({ name }) => name) });
  try {
    const { manifest } = archive;
    return {
      manifest,
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      files: archive.documents,
      hasDataKey: archive.has(keyEntry('data.key')),
    };
  } finally {
    await archive.close();
  }
}
