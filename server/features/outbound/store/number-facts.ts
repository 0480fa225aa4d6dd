import type { ReadDb } from '../../../db/database.ts';
import type { SentScope } from '../types.ts';
import { inScope } from './visible-numbers.ts';

interface NumberFactsRow {
  readonly last_success_at: string | null;
  readonly recent_failures: number;
}

/**
 * Returns facts about E.164 numbers from the faxes in the scope (null for all): the last success, and the failures
 * since it and since the given time (ISO 8601 UTC). Numbers with neither are left out.
 */
export async function numberFacts(
  db: ReadDb,
  scope: SentScope | null,
  { numbers, since }: { numbers: readonly string[]; since: string },
): Promise<Map<string, NumberFactsRow>> {
  if (numbers.length === 0) return new Map();
  const reached = await lastSuccesses(db, scope, numbers);
  const failures = new Map<string, number>();
  for (const { to_number, created_at } of await failedSince(db, scope, { numbers, since }))
    if (created_at > (reached.get(to_number) ?? ''))
      failures.set(to_number, (failures.get(to_number) ?? 0) + 1);
  const known = [...new Set([...reached.keys(), ...failures.keys()])];
  return new Map(
    known.map((number) => [
      number,
      { last_success_at: reached.get(number) ?? null, recent_failures: failures.get(number) ?? 0 },
    ]),
  );
}

/**
 * Returns the numbers of delivered and failed faxes to E.164 numbers and the pages of the delivered ones, among the faxes
 * in the scope (null for all).
 */
export async function sentSums(
  db: ReadDb,
  scope: SentScope | null,
  numbers: readonly string[],
): Promise<{ delivered: number; failed: number; pagesDelivered: number; lastFailureAt: string | null }> {
  const settled = db
    .selectFrom('fax_job')
    .select((eb) => [
      'delivery_state',
      eb.fn.countAll<number | string>().as('faxes'),
      eb.fn.sum<number | string | null>(eb.fn.coalesce('pages', 'document_pages')).as('pages'),
      eb.fn.max('updated_at').as('last_at'),
    ])
    .where('to_number', 'in', numbers)
    .where('delivery_state', 'in', ['success', 'failed'])
    .where('test', '=', 0)
    .groupBy('delivery_state');
  const rows = await (scope === null ? settled : settled.where(inScope(scope))).execute();
  const delivered = rows.find(({ delivery_state }) => delivery_state === 'success');
  const failed = rows.find(({ delivery_state }) => delivery_state === 'failed');
  return {
    delivered: Number(delivered?.faxes ?? 0),
    failed: Number(failed?.faxes ?? 0),
    pagesDelivered: Number(delivered?.pages ?? 0),
    lastFailureAt: failed?.last_at ?? null,
  };
}

async function lastSuccesses(
  db: ReadDb,
  scope: SentScope | null,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  if (scope === null) {
    const rows = await db
      .selectFrom('fax_number')
      .select(['to_number', 'last_success_at'])
      .where('to_number', 'in', numbers)
      .execute();
    return new Map(
      rows.flatMap(({ to_number, last_success_at: at }) => (at === null ? [] : [[to_number, at]])),
    );
  }
  const rows = await db
    .selectFrom('fax_job')
    .select((eb) => ['to_number', eb.fn.max('updated_at').as('at')])
    .where('to_number', 'in', numbers)
    .where('delivery_state', '=', 'success')
    .where(inScope(scope))
    .groupBy('to_number')
    .execute();
  return new Map(rows.map(({ to_number, at }) => [to_number, at]));
}

async function failedSince(
  db: ReadDb,
  scope: SentScope | null,
  { numbers, since }: { numbers: readonly string[]; since: string },
): Promise<{ to_number: string; created_at: string }[]> {
  const failed = db
    .selectFrom('fax_job')
    .select(['to_number', 'created_at'])
    .where('to_number', 'in', numbers)
    .where('delivery_state', '=', 'failed')
    .where('test', '=', 0)
    .where('created_at', '>=', since);
  return (scope === null ? failed : failed.where(inScope(scope))).execute();
}
