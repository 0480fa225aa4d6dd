import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { KnownBrowserTable } from '../../../db/schema/access.ts';

/**
 * Returns the ID of a browser in which the person of that sign-in name (lower case) signed in since `usedAfter`; else
 * null.
 */
export async function findKnownBrowser(
  db: ReadDb,
  wanted: { login: string; tokenHash: string; usedAfter: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('known_browser as b')
    .innerJoin('principal as p', 'p.id', 'b.principal_id')
    .select('b.id')
    .where('b.token_hash', '=', wanted.tokenHash)
    .where('p.login', '=', wanted.login)
    .where('b.last_used_at', '>', wanted.usedAfter)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Returns the ID of a row of a browser in which any person signed in since `usedAfter`; else null. */
export async function findAnyBrowser(
  db: ReadDb,
  tokenHash: string,
  usedAfter: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('known_browser')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('last_used_at', '>', usedAfter)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Replaces the token of a browser, for all people remembered in it. */
export async function replaceBrowserToken(tx: WriteTx, oldHash: string, newHash: string): Promise<void> {
  await tx
    .updateTable('known_browser')
    .set({ token_hash: newHash })
    .where('token_hash', '=', oldHash)
    .execute();
}

/** Returns the ID of a person's row for a browser; else null. */
export async function findOwnBrowser(
  tx: WriteTx,
  principalId: string,
  tokenHash: string,
): Promise<string | null> {
  const row = await tx
    .selectFrom('known_browser')
    .select('id')
    .where('principal_id', '=', principalId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertKnownBrowser(tx: WriteTx, row: KnownBrowserTable): Promise<void> {
  await tx.insertInto('known_browser').values(row).execute();
}

export async function setBrowserUsed(tx: WriteTx, id: string, now: string): Promise<void> {
  await tx.updateTable('known_browser').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Forgets browsers of a person that were last used before `usedAfter`, and all but the `most` that were used last. */
export async function trimKnownBrowsers(
  tx: WriteTx,
  which: { principalId: string; usedAfter: string; most: number },
): Promise<void> {
  const own = tx.selectFrom('known_browser').where('principal_id', '=', which.principalId);
  const kept = await own
    .select('id')
    .where('last_used_at', '>', which.usedAfter)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(which.most)
    .execute();
  await tx
    .deleteFrom('known_browser')
    .where('principal_id', '=', which.principalId)
    .where(
      'id',
      'not in',
      kept.map(({ id }) => id),
    )
    .execute();
}

export async function forgetBrowser(tx: WriteTx, id: string): Promise<void> {
  await tx.deleteFrom('known_browser').where('id', '=', id).execute();
}

export async function forgetBrowsersOf(tx: WriteTx, principalId: string): Promise<void> {
  await tx.deleteFrom('known_browser').where('principal_id', '=', principalId).execute();
}
