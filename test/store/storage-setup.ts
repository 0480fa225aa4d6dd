import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { StoreMismatchError } from '../../server/features/storage/errors.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../setup/gateway.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';

/** For `describe.each`; PostgreSQL only where there is a server. */
export const DATABASES = [
  { name: 'SQLite', isPostgres: false, skip: false },
  { name: `PostgreSQL${withoutPostgres}`, isPostgres: true, skip: postgresUrl === null },
];

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

/** An empty PostgreSQL database, dropped after the test. */
export async function newDatabase(): Promise<string> {
  const databaseUrl = await createPostgresDatabase(postgresUrl ?? '');
  cleanups.push(() => dropPostgresDatabase(databaseUrl));
  return databaseUrl;
}

/** A gateway that is stopped after the test, with its data removed. */
export async function newGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const gateway = await startTestGateway(options);
  cleanups.push(() => gateway.close());
  return gateway;
}

/** A folder that is removed after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-storage-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts on the data of a stopped gateway, with other options. It is stopped after the test. */
export async function startOn(gateway: TestGateway, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const again = await gateway.restart(options);
  cleanups.push(() => again.stop());
  return again;
}

/** The sentence with which such a start is refused. */
export async function refusedOn(gateway: TestGateway, options: TestGatewayOptions = {}): Promise<string> {
  const error = await startOn(gateway, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreMismatchError);
  return (error as Error).message;
}

/** The names of documents in a folder of the data folder, with those below. */
export async function documentsIn(gateway: TestGateway, folder = 'files/fax'): Promise<string[]> {
  const names = await readdir(join(gateway.dataFolder, folder), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.pdf')).sort();
}

const STORE = /^faxdesk\.sqlite/u;

export async function copyStore(from: string, to: string): Promise<void> {
  for (const name of await readdir(to)) if (STORE.test(name)) await rm(join(to, name));
  for (const name of await readdir(from)) if (STORE.test(name)) await cp(join(from, name), join(to, name));
}

export async function markOf(gateway: TestGateway): Promise<{ installation: string; generation: number }> {
  const text = await readFile(join(gateway.dataFolder, 'files/installation.json'), 'utf8');
  return JSON.parse(text) as { installation: string; generation: number };
}
