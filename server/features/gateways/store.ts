import { sql } from 'kysely';
import type { Database, ReadDb, WriteTx } from '../../db/database.ts';
import { postgresTime as now } from '../../db/shared-time.ts';
import { allTables } from '../../db/table-order.ts';
import type { GatewayRow, OwnGateway } from './types.ts';

/** Gateways that were not stopped are listed for so long after their last sign of life. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Returns false for a store of a time before there was a table of gateways. */
export async function hasGateways({ unrestricted, capabilities }: Database): Promise<boolean> {
  return (await allTables(unrestricted as never, capabilities)).includes('gateway');
}

/** Lists the gateways that were not stopped in an orderly way or run, by their name. */
export async function listGateways(db: ReadDb): Promise<GatewayRow[]> {
  return db
    .selectFrom('gateway')
    .selectAll()
    .select((eb) => eb(now, '-', eb.ref('seen_at')).as('age'))
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** Makes other gateways that start or come back wait until the transaction ends. */
export async function lockGateways(tx: WriteTx): Promise<void> {
  await tx
    .insertInto('work_permit')
    .values({ key: 'work', run: null, gateway_id: null, number: 0, until: 0 })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  await tx.selectFrom('work_permit').select('key').forUpdate().execute();
}

/** Enters this gateway, in place of what an earlier start of it left. */
export async function enterGateway(tx: WriteTx, own: OwnGateway): Promise<void> {
  await tx.deleteFrom('gateway').where('seen_at', '<', sql<number>`${now} - ${KEPT_MS}`).execute();
  const row = { ...own, started_at: now, seen_at: now };
  await tx
    .insertInto('gateway')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Records a sign of life. False when this start of the gateway is not in the table any more. */
export async function noteAlive(tx: WriteTx, { id, run }: Pick<OwnGateway, 'id' | 'run'>): Promise<boolean> {
  const result = await tx
    .updateTable('gateway')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('run', '=', run)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function removeGateway(tx: WriteTx, { id, run }: Pick<OwnGateway, 'id' | 'run'>): Promise<void> {
  await tx.deleteFrom('gateway').where('id', '=', id).where('run', '=', run).execute();
}

/** Removes all gateways and the permit. */
export async function forgetGateways(tx: WriteTx): Promise<void> {
  await tx.deleteFrom('gateway').execute();
  await tx.deleteFrom('work_permit').execute();
}

/**
 * Prolongs the permit of this start of a gateway, or takes it where it was given back, has ended, or is that of an earlier
 * start of the same gateway, which is gone. Returns false while another gateway has it.
 */
export async function takePermit(
  tx: WriteTx,
  { id, run, leaseMs }: Pick<OwnGateway, 'id' | 'run'> & { leaseMs: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('work_permit')
    .set((eb) => ({
      run,
      gateway_id: id,
      number: eb
        .case()
        .when('run', '=', run)
        .then(eb.ref('number'))
        .else(eb('number', '+', 1))
        .end(),
      until: sql<number>`${now} + ${leaseMs}`,
    }))
    .where((eb) =>
      eb.or([eb('run', 'is', null), eb('run', '=', run), eb('gateway_id', '=', id), eb('until', '<', now)]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Gives the permit back, for the next gateway to take. */
export async function freePermit(tx: WriteTx, run: string): Promise<void> {
  await tx.updateTable('work_permit').set({ run: null, until: 0 }).where('run', '=', run).execute();
}

/** Returns true when the permit is that of this start of a gateway, and keeps it so until the transaction ends. */
export async function keepPermit(tx: WriteTx, run: string): Promise<boolean> {
  const row = await tx
    .selectFrom('work_permit')
    .select('number')
    .where('run', '=', run)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the start that has the permit now; null when none has. */
export async function permitHolder(db: ReadDb): Promise<string | null> {
  const row = await db.selectFrom('work_permit').select('run').where('until', '>=', now).executeTakeFirst();
  return row?.run ?? null;
}

/** Returns the time of the database, in epoch ms; null where it is that of this computer. */
export async function databaseTime({ unrestricted, capabilities }: Database): Promise<number | null> {
  if (capabilities.name === 'sqlite') return null;
  const { rows } = await sql<{ at: string }>`select ${now} as at`.execute(unrestricted);
  return rows[0] === undefined ? null : Number(rows[0].at);
}
