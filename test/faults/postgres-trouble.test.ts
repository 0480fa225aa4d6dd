import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { errorCode } from '../../server/platform/errors.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl } from '../setup/stores.ts';

/** Disk and page errors of PostgreSQL, as far as they can be produced without harming the server of all tests. */
describe.skipIf(postgresUrl === null)('PostgreSQL', () => {
  let database: string;
  let admin: Client;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl: database });
    admin = new Client({ connectionString: database });
    await admin.connect();
    await admin.query(`create function trouble() returns trigger language plpgsql as
      'begin raise exception using errcode = tg_argv[0]; end'`);
  });
  afterEach(() => admin.query('drop trigger if exists trouble on fax_job'));
  afterAll(async () => {
    await admin.end();
    await gateway.close();
    await dropPostgresDatabase(database);
  });

  const failWith = (code: string) =>
    admin.query(
      `create trigger trouble before insert on fax_job for each row execute function trouble('${code}')`,
    );
  const sent = async () => {
    const answer = await gateway.sendForm({ to: '+12025550123' }, [textFile()]);
    return [answer.status, answer.headers.get('x-error-code')];
  };
  const problems = async () => {
    const answer = await gateway.request('GET', '/health/ready');
    return ((await answer.json()) as { problems: string[] }).problems;
  };

  test.each([
    ['whose disk is full', '53100', 507, 'disk_full'],
    ['that only reads', '25006', 503, 'database_read_only'],
    ['whose disk reports errors', '58030', 503, 'disk_failing'],
  ])(
    'rule (database): an answer about trouble of the database has a sentence of ours, and service resumes by itself [%s]',
    async (_, code, status, word) => {
      await failWith(code);
      expect(await sent()).toEqual([status, word]);
      await admin.query('drop trigger trouble on fax_job');
      expect(await sent()).toEqual([202, null]);
      expect(await problems()).toEqual([]);
    },
  );

  test('with a corrupted page is written to no more', async () => {
    await failWith('XX001');
    expect(await sent()).toEqual([503, 'database_damaged']);
    await admin.query('drop trigger trouble on fax_job');
    expect(await sent()).toEqual([503, 'database_damaged']);
    expect(await problems()).toEqual([expect.stringContaining('The database is damaged')]);
    const accepted = gateway.emulator.counts.accepted;
    await gateway.processAll();
    expect(gateway.emulator.counts.accepted).toBe(accepted);
  });
});

test.skipIf(postgresUrl === null)(
  'a server that only reads since a fail-over is left without a restart',
  async () => {
    const database = await newPostgresDatabase();
    const db = openDatabase({ postgresUrl: database, sqliteFile: '' }, { poolSize: 1, connectionSeconds: 1 });
    const write = () =>
      db
        .transaction((tx) => tx.deleteFrom('gateway').execute())
        .then(
          () => 'written',
          (error: unknown) => errorCode(error),
        );
    expect(await write()).toBe('written');
    // From now on this connection is that of a replica; the next one is not.
    await sql`set session characteristics as transaction read only`.execute(db.unrestricted);
    expect(await write()).toBe('25006');
    await expect.poll(write, { interval: 100, timeout: 10_000 }).toBe('written');
    await db.close();
    await dropPostgresDatabase(database);
  },
);
