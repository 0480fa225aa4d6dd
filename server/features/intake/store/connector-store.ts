import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ConnectorRow } from '../types.ts';

/** Lists the connectors by name. */
export async function listConnectors(db: ReadDb): Promise<ConnectorRow[]> {
  return db.selectFrom('intake_connector').selectAll().orderBy('name').orderBy('id').execute();
}

export async function findConnector(db: ReadDb, id: string): Promise<ConnectorRow | undefined> {
  return db.selectFrom('intake_connector').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertConnector(tx: WriteTx, row: ConnectorRow): Promise<void> {
  await tx.insertInto('intake_connector').values(row).execute();
}

/** Moves the version on. False when the connector changed since that version, or is gone. */
export async function updateConnector(
  tx: WriteTx,
  { id, version }: Pick<ConnectorRow, 'id' | 'version'>,
  change: Partial<Omit<ConnectorRow, 'id' | 'version'>>,
): Promise<boolean> {
  const result = await tx
    .updateTable('intake_connector')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Records the result of a test, which is not a change: only while the connector is still the tested version. */
export async function recordTest(
  tx: WriteTx,
  { id, version }: Pick<ConnectorRow, 'id' | 'version'>,
  test: Pick<ConnectorRow, 'tested_at' | 'test_ok' | 'test_detail'>,
): Promise<void> {
  await tx
    .updateTable('intake_connector')
    .set(test)
    .where('id', '=', id)
    .where('version', '=', version)
    .execute();
}

/**
 * Records the result of an OAuth sign-in, which is not a change of the connector. Only while the connector still has
 * the sign-in that was used.
 */
export async function recordOAuth(
  tx: WriteTx,
  { id, oauth }: Pick<ConnectorRow, 'id' | 'oauth'>,
  changes: Pick<ConnectorRow, 'oauth' | 'oauth_problem'>,
): Promise<void> {
  await tx
    .updateTable('intake_connector')
    .set(changes)
    .where('id', '=', id)
    .where('oauth', '=', oauth)
    .execute();
}

/** False when the connector changed since that version, or is gone. */
export async function deleteConnector(
  tx: WriteTx,
  { id, version }: Pick<ConnectorRow, 'id' | 'version'>,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('intake_connector')
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** The enabled ones that name the number; where none does, those that name none. By name. */
export async function matchingConnectors(db: ReadDb, toNumber: string | null): Promise<ConnectorRow[]> {
  const enabled = db.selectFrom('intake_connector').selectAll().where('enabled', '=', 1).orderBy('name');
  if (toNumber !== null) {
    const exact = await enabled.where('match_number', '=', toNumber).execute();
    if (exact.length > 0) return exact;
  }
  return enabled.where('match_number', 'is', null).execute();
}
