/** Contents of a backup that decide whether an older one is still needed. */
export interface BackupContents {
  readonly documents: readonly string[];
  /** Distinguishes data keys; null without one. */
  readonly keyDigest: string | null;
}

/**
 * Reads which of the documents a backup of the folder holds, and its key. Null when it is no whole backup; `unknown` for an
 * encrypted one without a record of its contents.
 */
export type ReadContents = (
  name: string,
  documents: readonly string[],
) => Promise<BackupContents | 'unknown' | null>;

type Found = Awaited<ReturnType<ReadContents>>;

/** Data that the newest backup lacks: documents that its rows name, and every key but its own. */
export interface NewestBackup {
  readonly lost: readonly string[];
  readonly keyDigest: string | null;
}

/**
 * Returns which of the older daily backups (newest first) may be removed when `keep` are kept with the newest: those of which the newer ones hold
 * everything that the newest lacks. One that alone holds a lost document or another data key stays, and so does one whose contents
 * are unknown.
 */
export async function supersededBackups(
  older: readonly string[],
  { keep, newest, readContents }: { keep: number; newest: NewestBackup; readContents: ReadContents },
): Promise<string[]> {
  const lost = new Set(newest.lost);
  const keys = new Set([newest.keyDigest]);
  const cover = (found: Found) => {
    if (found === null || found === 'unknown') return;
    for (const name of found.documents) lost.delete(name);
    keys.add(found.keyDigest);
  };
  const isNeeded = (found: Found) =>
    found === 'unknown' ||
    (found !== null &&
      ((found.keyDigest !== null && !keys.has(found.keyDigest)) ||
        found.documents.some((name) => lost.has(name))));
  // Read only where an older one has something that the newest lacks.
  let unread = older.slice(0, keep - 1);
  const superseded: string[] = [];
  for (const name of older.slice(keep - 1)) {
    const found = await readContents(name, [...lost]);
    if (isNeeded(found)) {
      for (const newer of unread) cover(await readContents(newer, [...lost]));
      unread = [];
    }
    if (isNeeded(found)) cover(found);
    else superseded.push(name);
  }
  return superseded;
}
