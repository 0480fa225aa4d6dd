import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { outcomeOf } from '../../server/cli/exit-codes.ts';
import { startProblem } from '../../server/composition/start-problem.ts';
import { openDatabase } from '../../server/db/database.ts';
import { migrations } from '../../server/db/migrations/index.ts';
import type { Migration } from '../../server/db/migrations/migration.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { needPostgres } from '../setup/tools.ts';

const LATER: Migration = {
  name: '999-later',
  up: (db) => db.schema.createTable('later').addColumn('id', 'text').execute(),
};

/** Adds a migration to this release, as the next one has it. */
function releaseNext(): void {
  (migrations as Migration[]).push(LATER);
}

test('rule (gateways): a gateway migrates no database on which another one works', async (context) => {
  const databaseUrl = await needPostgres(context);
  const ends: (() => Promise<unknown>)[] = [() => dropPostgresDatabase(databaseUrl)];
  onTestFinished(async () => {
    (migrations as Migration[]).splice(migrations.indexOf(LATER), 1);
    for (const end of ends.toReversed()) await end();
  });
  const db = openDatabase({ postgresUrl: databaseUrl, sqliteFile: '' });
  ends.push(() => db.close());
  const shape = async () => {
    const { rows } = await sql<{ table_name: string; column_name: string }>`
      select table_name, column_name from information_schema.columns
      where table_schema = current_schema() order by 1, 2`.execute(db.unrestricted);
    const { rows: done } = await sql<{ name: string }>`select name from migration order by name`.execute(
      db.unrestricted,
    );
    return { columns: rows, done };
  };
  const running = await startTestGateway({ databaseUrl });
  ends.push(() => running.emulator.close());
  let isRunning = true;
  ends.push(async () => isRunning && (await running.stop()));
  const { clock, emulator } = running;
  const before = await shape();

  releaseNext();
  const error: unknown = await startTestGateway({ databaseUrl, clock, emulator }).catch(
    (reason: unknown) => reason,
  );
  expect(outcomeOf(error).exitCode).toBe(10);
  expect(startProblem(error)).toMatch(
    /^The database must be migrated for this release .* Stop every gateway/u,
  );
  expect(await shape()).toEqual(before);
  expect((await running.request('GET', '/fax')).status).toBe(200);

  await running.stop();
  isRunning = false;
  const next = await startTestGateway({ databaseUrl, clock, emulator });
  ends.push(() => next.stop());
  expect((await shape()).done).toEqual([...before.done, { name: LATER.name }]);
});
