import { type SqlBool, sql } from 'kysely';
import type { HoldScope } from '../platform/hold-scope.ts';

/** Columns of a table of faxes that decide about a hold. */
export interface HoldColumns {
  readonly numbers: readonly string[];
  /** Time of the record. */
  readonly time: string;
  /** Null for a table without cases. */
  readonly caseId: string | null;
}

/** Returns the condition that one of the holds covers the fax; false without a hold. */
export function coveredBy(scopes: readonly HoldScope[], columns: HoldColumns) {
  const conditions = scopes.flatMap((scope) => conditionsOf(scope, columns));
  return conditions.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** Returns the condition that no hold covers the fax. A value that is not known is covered by no hold. */
export function notCoveredBy(scopes: readonly HoldScope[], columns: HoldColumns) {
  return sql<SqlBool>`(case when ${coveredBy(scopes, columns)} then 1 else 0 end = 0)`;
}

function conditionsOf(scope: HoldScope, columns: HoldColumns) {
  const named = scope.faxIds.length > 0 ? [sql<SqlBool>`id in (${sql.join(scope.faxIds)})`] : [];
  const rule = ruleOf(scope, columns);
  return rule.length === 0 ? named : [...named, sql<SqlBool>`(${sql.join(rule, sql` and `)})`];
}

function ruleOf({ caseId, numbers, mailboxId, since, until }: HoldScope, columns: HoldColumns) {
  const time = sql.ref(columns.time);
  const rule = [];
  if (caseId !== null)
    rule.push(
      columns.caseId === null ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${sql.ref(columns.caseId)} = ${caseId}`,
    );
  if (numbers.length > 0) {
    const sides = columns.numbers.map((name) => sql<SqlBool>`${sql.ref(name)} in (${sql.join(numbers)})`);
    rule.push(sql<SqlBool>`(${sql.join(sides, sql` or `)})`);
  }
  if (mailboxId !== null) rule.push(sql<SqlBool>`mailbox_id = ${mailboxId}`);
  if (since !== null) rule.push(sql<SqlBool>`${time} >= ${since}`);
  if (until !== null) rule.push(sql<SqlBool>`${time} < ${until}`);
  return rule;
}
