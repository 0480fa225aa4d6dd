import { sql } from 'kysely';
import type { PersonSource } from '../../../../shared/states/access.ts';
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

/** Records a sign-in. One with the password or a passkey proves the person, and every one but that with a card gives tries of the PIN back. */
export async function setBrowserUsed(
  tx: WriteTx,
  id: string,
  { now, source }: { now: string; source: PersonSource },
): Promise<void> {
  const isProof = source === 'password' || source === 'passkey';
  await tx
    .updateTable('known_browser')
    .set({
      last_used_at: now,
      ...(isProof ? { proved_at: now } : {}),
      ...(source === 'card' ? {} : { wrong_pins: 0 }),
    })
    .where('id', '=', id)
    .execute();
}

/** Browser of a person who may sign in there with a PIN or a card. */
export interface ProvedBrowser {
  readonly id: string;
  readonly principalId: string;
  readonly login: string;
  readonly displayName: string;
  readonly pinHash: string | null;
  readonly cardHash: string | null;
  readonly wrongPins: number;
}

/** Lists the people of a browser who have a PIN or a card, by name. */
export async function listProvedBrowsers(
  db: ReadDb,
  tokenHash: string,
  provedAfter: string,
): Promise<ProvedBrowser[]> {
  return await db
    .selectFrom('known_browser as b')
    .innerJoin('principal as p', 'p.id', 'b.principal_id')
    .innerJoin('quick_sign_in as q', 'q.principal_id', 'p.id')
    .select(['b.id', 'p.id as principalId', 'p.display_name as displayName'])
    .select((eb) => eb.fn.coalesce('p.login', sql.lit('')).as('login'))
    .select(['q.pin_hash as pinHash', 'q.card_hash as cardHash', 'b.wrong_pins as wrongPins'])
    .where('b.token_hash', '=', tokenHash)
    .where('b.proved_at', '>', provedAfter)
    .where('p.enabled', '=', 1)
    .where('p.password_change_required', '=', 0)
    .orderBy('p.search_text')
    .orderBy('p.id')
    .execute();
}

/** Takes one of the tries of a PIN in a browser, before it is checked. False when none is left. */
export async function takePinTry(tx: WriteTx, id: string, most: number): Promise<boolean> {
  const result = await tx
    .updateTable('known_browser')
    .set((eb) => ({ wrong_pins: eb('wrong_pins', '+', 1) }))
    .where('id', '=', id)
    .where('wrong_pins', '<', most)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
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
