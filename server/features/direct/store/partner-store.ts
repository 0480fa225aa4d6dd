import type { ReadDb } from '../../../db/database.ts';
import type { PartnerRow } from '../types.ts';

export async function findPartner(db: ReadDb, id: string): Promise<PartnerRow | undefined> {
  return db.selectFrom('direct_partner').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds the partner whose card has the signing key, removed or not. */
async function findPartnerByKey(db: ReadDb, signingKey: string): Promise<PartnerRow | undefined> {
  return db.selectFrom('direct_partner').selectAll().where('signing_key', '=', signingKey).executeTakeFirst();
}

/**
 * Finds the partner who signs with the key at this time: the present one, or one that they replaced and that is still
 * accepted. Removed partners are found as well.
 */
export async function findSender(
  db: ReadDb,
  signingKey: string,
  at: string,
): Promise<PartnerRow | undefined> {
  const present = await findPartnerByKey(db, signingKey);
  if (present) return present;
  return db
    .selectFrom('direct_partner')
    .selectAll()
    .where('previous_signing_key', '=', signingKey)
    .where('previous_until', '>', at)
    .orderBy('previous_until', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Finds the partner to whom faxes to the number (E.164) go directly at this time: the one whose number was confirmed last.
 */
export async function findConfirmedPartner(
  db: ReadDb,
  number: string,
  at: string,
): Promise<PartnerRow | undefined> {
  return db
    .selectFrom('direct_partner')
    .selectAll()
    .where('fax_number', '=', number)
    .where('revoked_at', 'is', null)
    .where('number_confirmed_at', 'is not', null)
    .where('expires_at', '>', at)
    .orderBy('number_confirmed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
