import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { DatabaseAwayError } from '../../server/db/postgres.ts';
import { databasesAt, startDurablePostgres } from '../endure/world/durable-postgres.ts';
import { startCutOffProxy } from '../setup/cut-off-proxy.ts';
import { freePort } from '../setup/free-port.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';

describe.skipIf(postgresUrl === null)(`a list of database servers${withoutPostgres}`, () => {
  /** The primary, behind a proxy, and a second server that only reads, with a database of the same name. */
  async function openPair() {
    const server = await startDurablePostgres();
    if ('unavailable' in server) throw new Error(server.unavailable);
    onTestFinished(() => server.close());
    const primary = new URL(await server.createDatabase());
    const name = primary.pathname.slice(1);
    const standby = new URL(postgresUrl ?? '');
    await query(standby.href, `create database ${name}`);
    standby.pathname = name;
    onTestFinished(() => databasesAt(postgresUrl ?? '').dropDatabase(standby.href));
    await query(standby.href, `alter database ${name} set default_transaction_read_only = on`);
    const proxy = await startCutOffProxy({ host: primary.hostname, port: Number(primary.port) });
    onTestFinished(() => proxy.close());
    primary.port = String(proxy.port);
    const gone = `127.0.0.1:${await freePort()}`;
    const list = `${primary.protocol}//${primary.username}@${gone},${standby.host},${primary.host}/${name}`;
    const db = openDatabase({ postgresUrl: `${list}?target_session_attrs=read-write`, sqliteFile: '' });
    onTestFinished(() => db.close());
    const port = async () => {
      const { inet_server_port } = await db.unrestricted
        .selectNoFrom((eb) => eb.fn<number>('inet_server_port', []).as('inet_server_port'))
        .executeTakeFirstOrThrow();
      return inet_server_port;
    };
    const promote = async () => {
      await query(standby.href, `alter database ${name} set default_transaction_read_only = off`);
    };
    return {
      port,
      promote,
      proxy,
      primary: server.port,
      standby: Number(standby.port),
      name,
      standbyUrl: standby.href,
    };
  }

  async function query(connectionString: string, text: string): Promise<void> {
    const client = new Client({ connectionString, options: '-c default_transaction_read_only=off' });
    await client.connect();
    await client.query(text);
    await client.end();
  }

  test('the one that accepts changes is used, wherever it is in the list, and the next one after a fail-over', async () => {
    const { port, promote, proxy, primary, standby } = await openPair();
    expect(await port()).toBe(primary);
    await proxy.cut();
    await expect(port()).rejects.toThrow(DatabaseAwayError);
    await promote();
    await expect.poll(port, { timeout: 10_000 }).toBe(standby);
    // The former primary is back as one that is not asked any longer.
    await proxy.open();
    expect(await Promise.all([port(), port(), port()])).toEqual([standby, standby, standby]);
  });
});
