import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT, outcomeOf } from '../../server/cli/exit-codes.ts';
import { startProblem } from '../../server/composition/start-problem.ts';
import { openDatabase } from '../../server/db/database.ts';
import { DatabaseAwayError } from '../../server/db/postgres.ts';
import { openForReading } from '../../server/db/snapshot.ts';
import { lockGateways } from '../../server/features/gateways/store.ts';
import { type CutOffProxy, startCutOffProxy } from '../setup/cut-off-proxy.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl } from '../setup/stores.ts';

const AWAY = { detail: 'The database is not responding. Try again in a moment.' };

describe.skipIf(postgresUrl === null)('while PostgreSQL is away', () => {
  let database: string;
  let proxy: CutOffProxy;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = await newPostgresDatabase();
    const { hostname, port } = new URL(database);
    proxy = await startCutOffProxy({ host: hostname, port: Number(port) });
    const through = new URL(database);
    through.port = String(proxy.port);
    gateway = await startTestGateway({ databaseUrl: through.href });
  });
  afterAll(async () => {
    await proxy.open();
    await gateway.close();
    await proxy.close();
    await dropPostgresDatabase(database);
  });

  const listed = () => gateway.request('GET', '/fax');
  const ready = async () => (await (await gateway.request('GET', '/health/ready')).json()) as Ready;
  interface Ready {
    status: string;
    problems: string[];
  }

  /** Answers come again, without anybody doing anything. */
  const untilBack = () => expect.poll(async () => (await listed()).status).toBe(200);

  test('rule (database): an unreachable database is one distinct error, and the gateway recovers by itself', async () => {
    await gateway.send();
    await proxy.cut();
    const answer = await listed();
    expect([answer.status, await answer.json()]).toEqual([503, AWAY]);
    expect([answer.headers.get('retry-after'), answer.headers.get('x-error-code')]).toEqual([
      '2',
      'database_away',
    ]);
    expect((await gateway.request('GET', '/health')).status).toBe(200);
    expect(await ready()).toMatchObject({
      status: 'not ready',
      problems: ['The database is not responding.'],
    });
    await proxy.open();
    await untilBack();
    expect((await ready()).problems).toEqual([]);
  });

  test('a fax that got this answer is taken once when it is sent again', async () => {
    await proxy.cut();
    const sent = { to: '+12025550190' };
    const headers = { 'Idempotency-Key': 'sent-while-away' };
    await expect(gateway.send(sent, headers)).rejects.toThrow('503');
    await proxy.open();
    await untilBack();
    const fax = await gateway.send(sent, headers);
    expect((await gateway.send(sent, headers)).id).toBe(fax.id);
    const { items } = (await (await gateway.request('GET', '/fax?to=%2B12025550190')).json()) as {
      items: Fax[];
    };
    expect(items.map(({ id }) => id)).toEqual([fax.id]);
  });

  test('rule (gateways): a process that is frozen in a transaction does not keep its locks from another', async () => {
    const open = () => openDatabase({ postgresUrl: database, sqliteFile: '' });
    const [frozen, other] = [open(), open()];
    const thawed = Promise.withResolvers<void>();
    try {
      const locked = Promise.withResolvers<void>();
      const held = frozen.transaction(async (tx) => {
        await lockGateways(tx);
        locked.resolve();
        await thawed.promise;
        await lockGateways(tx);
      });
      const outcome = held.then(
        () => 'committed',
        (error: unknown) => error,
      );
      await locked.promise;
      await other.transaction(lockGateways);
      thawed.resolve();
      expect(await outcome).toBeInstanceOf(DatabaseAwayError);
    } finally {
      thawed.resolve();
      await frozen.close();
      await other.close();
    }
  });

  test('a backup may pause in its transaction, which locks nothing', async () => {
    const reading = openForReading({ postgresUrl: database, sqliteFile: '' });
    try {
      const { rows } = await sql<object>`show idle_in_transaction_session_timeout`.execute(
        reading.unrestricted,
      );
      expect(rows).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
    } finally {
      await reading.close();
    }
  });

  test('connections that the server ends at work end nothing else', async () => {
    const admin = new Client({ connectionString: database });
    await admin.connect();
    const name = new URL(database).pathname.slice(1);
    const terminate = () =>
      admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> $2', [
        name,
        (admin as unknown as { processID: number }).processID,
      ]);
    const working = Array.from({ length: 40 }, () => listed());
    await terminate();
    for (const answer of await Promise.all(working)) expect([200, 503]).toContain(answer.status);
    await terminate();
    await admin.end();
    await untilBack();
  });

  test('one that is frozen is noticed, and what waited goes on when it thaws', async () => {
    const { id } = await gateway.send({ to: '+12025550191' });
    proxy.freeze();
    const waiting = listed();
    expect(await ready()).toMatchObject({ problems: ['The database is not responding.'] });
    expect((await gateway.request('GET', '/health')).status).toBe(200);
    await proxy.open();
    expect((await waiting).status).toBe(200);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).not.toBe('failed');
  });

  test('the gateway can be stopped', async () => {
    await proxy.cut();
    gateway = await gateway.restart().catch(async (error: unknown) => {
      // The stop went through; the start needs the database.
      expect(String(error)).toMatch(/database/u);
      await proxy.open();
      return gateway.restart();
    });
    await untilBack();
  });

  test('background work waits and is done when it is back', async () => {
    await gateway.processAll();
    const before = gateway.emulator.faxes.size;
    const { id } = await gateway.send({ to: '+12025550192' });
    await proxy.cut();
    await gateway.processAll().catch(() => undefined);
    await proxy.open();
    await untilBack();
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).not.toBe('failed');
    expect(gateway.emulator.faxes.size).toBe(before + 1);
  });
});

describe.skipIf(postgresUrl === null)('PostgreSQL that lets nobody in', () => {
  const addressWith = (change: (address: URL) => void): string => {
    const address = new URL(postgresUrl ?? '');
    change(address);
    return address.href;
  };

  test.each([
    [
      'has no such database',
      (address: URL) => (address.pathname = '/nowhere'),
      /has no database of the name/u,
    ],
    [
      'has no such user',
      (address: URL) => (address.username = 'nobody'),
      /does not let the user.*sign in|password/u,
    ],
  ])('because it %s is said at the start and by a command', async (_, change, sentence) => {
    const databaseUrl = addressWith(change);
    const error: unknown = await startTestGateway({ databaseUrl }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(startProblem(error)).toMatch(sentence);
    expect(outcomeOf(error)).toMatchObject({
      exitCode: EXIT.broken,
      message: expect.stringMatching(sentence),
    });
  });

  test.each([
    ['28P01', /^PostgreSQL refuses the password in DATABASE_URL/u],
    ['28000', /^PostgreSQL does not let the user in DATABASE_URL sign in/u],
    ['3D000', /^PostgreSQL has no database of the name/u],
    ['42501', /^The user in DATABASE_URL does not have the permissions/u],
  ])('with %s is reported in a sentence without that code', (code, sentence) => {
    const refused = Object.assign(new Error('in the words of the server'), { code });
    const away = new DatabaseAwayError('the database does not answer', { cause: refused });
    for (const error of [refused, away])
      expect([startProblem(error), outcomeOf(error).message]).toEqual([
        expect.stringMatching(sentence),
        expect.stringMatching(sentence),
      ]);
    expect(startProblem(refused)).not.toContain(code);
  });
});

test('a port that the system does not give is said at the start and by a command', () => {
  const denied = Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:80'), {
    code: 'EACCES',
    syscall: 'listen',
  });
  const sentence = expect.stringMatching(/^The system does not let Faxdesk listen on that port: .*--port/u);
  expect(startProblem(denied)).toEqual(sentence);
  expect(outcomeOf(denied)).toMatchObject({ exitCode: EXIT.broken, message: sentence });
});
