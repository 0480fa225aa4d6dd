import { type StoreLocation, withSnapshot } from '../db/snapshot.ts';
import { parseRecipient } from '../platform/age/keys.ts';
import { asBackupError } from './create-backup.ts';
import { BackupError } from './errors.ts';

const SETTING = 'BACKUP_RECIPIENTS';
/** A backup that was to be encrypted is never written plain. */
const UNREADABLE =
  'The recipients of backups in the settings cannot be read, so no backup was written. Check Settings > Backups.';

/** Returns the public keys for which backups of a store are encrypted, read without a gateway; empty for plain ones. Throws BackupError. */
export async function readRecipients(store: StoreLocation): Promise<Uint8Array[]> {
  try {
    return await withSnapshot(store, async (snapshot) => {
      if (!snapshot.tables.includes('setting')) return [];
      for await (const row of snapshot.rows('setting'))
        if (row['name'] === SETTING) return parseRecipients(textsOf(String(row['value'])));
      return [];
    });
  } catch (error) {
    throw asBackupError(error);
  }
}

/** Returns the public keys of recipients. Throws BackupError where a text is none. */
export function parseRecipients(texts: readonly unknown[]): Uint8Array[] {
  return texts.map((text) => {
    const key = typeof text === 'string' ? parseRecipient(text) : null;
    if (key === null) throw new BackupError(UNREADABLE);
    return key;
  });
}

function textsOf(json: string): readonly unknown[] {
  let value: unknown = null;
  try {
    value = JSON.parse(json);
  } catch {
    // Not a list either.
  }
  if (!Array.isArray(value)) throw new BackupError(UNREADABLE);
  return value;
}
