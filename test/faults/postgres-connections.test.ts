import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../../server/cli/exit-codes.ts';
import { startProblem } from '../../server/composition/start-problem.ts';
import { faultOfSentence } from '../../shared/fault-kinds.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { createLimitedUser, dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl } from '../setup/stores.ts';

describe.skipIf(postgresUrl === null)('connections to PostgreSQL', () => {
  let database: string;
  let limited: Awaited<ReturnType<typeof createLimitedUser>>;
  let admin: Client;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await newPostgresDatabase();
    limited = await createLimitedUser(database);
    admin = new Client({ connectionString: database });
    await admin.connect();
    gateway = await startTestGateway({ databaseUrl: limited.url });
  });
  afterAll(async () => {
    await limited.allow(-1);
    await gateway.close();
    await admin.end();
    await dropPostgresDatabase(database);
    await limited.drop();
  });

  const answered = async (path: string) => {
    const answer = await gateway.request('GET', path);
    return [answer.status, answer.headers.get('x-error-code'), answer.headers.get('retry-after')];
  };
  const problems = async () =>
    ((await (await gateway.request('GET', '/health/ready')).json()) as { problems: string[] }).problems;
  const kindsOf = (sentences: readonly string[]) => sentences.map((each) => faultOfSentence(each)?.kind);

  test('rule (database): that the database refuses are named, and the gateway recovers by itself', async () => {
    await limited.allow(0);
    await limited.endConnections();
    expect(await answered('/fax')).toEqual([503, 'database_connections_refused', '2']);
    const said = await problems();
    expect(said).toEqual([expect.stringMatching(/^The database accepts no more connections\./u)]);
    expect(kindsOf(said)).toEqual(['database_connections']);
    await limited.allow(-1);
    expect((await gateway.request('GET', '/fax')).status).toBe(200);
    expect(await problems()).toEqual([]);
  });

  test('that the database refuses are named at a start and by a command', async () => {
    await limited.allow(0);
    const error: unknown = await startTestGateway({ databaseUrl: limited.url }).catch(
      (reason: unknown) => reason,
    );
    await limited.allow(-1);
    const sentence = expect.stringMatching(/^The database accepts no more connections\./u);
    expect([startProblem(error), outcomeOf(error).message]).toEqual([sentence, sentence]);
  });

  test('rule (database): of which the gateway uses all are named, and it recovers by itself', async () => {
    await admin.query('begin');
    await admin.query('lock table fax_job in access exclusive mode');
    const waiting = Array.from({ length: 12 }, () => answered('/fax'));
    await expect
      .poll(async () => kindsOf(await problems()), { timeout: 20_000 })
      .toEqual(['connections_in_use']);
    const answers = await Promise.all(waiting);
    expect(answers).toContainEqual([503, 'database_connections_in_use', '2']);
    await admin.query('rollback');
    expect((await gateway.request('GET', '/fax')).status).toBe(200);
    expect(await problems()).toEqual([]);
  });
});
