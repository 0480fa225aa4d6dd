import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { dropPostgresDatabase } from './postgres.ts';
import { newPostgresDatabase } from './stores.ts';

type Cleanup = (end: () => Promise<unknown>) => void;

/** The address of a PostgreSQL database of its own. */
export async function postgresOfTest(cleanup: Cleanup): Promise<string> {
  const databaseUrl = await newPostgresDatabase();
  cleanup(() => dropPostgresDatabase(databaseUrl));
  return databaseUrl;
}

/** Two gateways on one PostgreSQL database that see the same documents; what ends them is given to `cleanup`, in its order. */
export async function startTwo(
  cleanup: Cleanup,
  databaseUrl?: string,
  settings: Record<string, string> = {},
): Promise<[TestGateway, TestGateway]> {
  databaseUrl ??= await postgresOfTest(cleanup);
  const one = await startTestGateway({ databaseUrl, settings });
  cleanup(() => one.close());
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-second-'));
  cleanup(() => rm(dataFolder, { recursive: true, force: true }));
  // One data key and one folder of documents, as several processes of one installation have them.
  for (const name of ['files', 'data.key']) await symlink(join(one.dataFolder, name), join(dataFolder, name));
  const { clock, emulator } = one;
  const two = await startTestGateway({ databaseUrl, dataFolder, clock, emulator, settings });
  cleanup(() => two.stop());
  return [one, two];
}
