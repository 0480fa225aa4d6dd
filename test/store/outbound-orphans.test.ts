import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

/** Starts again over a document that no fax has, and one that a fax has. */
async function restartOverOrphan(databaseUrl: string | null) {
  let gateway: TestGateway = await startTestGateway({ databaseUrl });
  cleanups.push(() => gateway.close());
  const { id } = await gateway.send();
  const path = (name: string) => join(gateway.dataFolder, 'files', 'fax', `${name}.pdf`);
  await writeFile(path('orphan'), '%PDF-1.7');
  gateway = await gateway.restart();
  await gateway.processAll();
  return { orphan: existsSync(path('orphan')), kept: existsSync(path(id)) };
}

test('a document whose acceptance never committed is removed at the next start', async () => {
  expect(await restartOverOrphan(null)).toEqual({ orphan: false, kept: true });
});

test.skipIf(postgresUrl === null)(
  `a document that another gateway may be accepting is left alone${withoutPostgres}`,
  async () => {
    const databaseUrl = await createPostgresDatabase(postgresUrl ?? '');
    cleanups.push(() => dropPostgresDatabase(databaseUrl));
    expect(await restartOverOrphan(databaseUrl)).toEqual({ orphan: true, kept: true });
  },
);
