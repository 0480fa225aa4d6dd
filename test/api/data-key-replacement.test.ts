import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { SEALED_COLUMNS } from '../../server/db/sealed-columns.ts';
import { tablesInOrder } from '../../server/db/table-order.ts';
import { pagesOf } from '../../server/db/table-pages.ts';
import { createSeal, isSealedText } from '../../server/platform/seal.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';

let gateway: TestGateway;
beforeEach(async () => {
  const blank = { CLOUDONE_API_KEY: '', CLOUDONE_API_SECRET: '' };
  gateway = await startTestGateway({ settings: { ...blank, ENCRYPT_DOCUMENTS: 'true' } });
  await gateway.set({ CLOUDONE_API_KEY: 'emulator-key', CLOUDONE_API_SECRET: 'emulator-secret' });
});
afterEach(() => gateway.close());

const keys = async () =>
  Buffer.from((await readFile(join(gateway.dataFolder, 'data.key'), 'utf8')).trim(), 'base64');

interface State {
  source: string;
  replacement: { pass: number; resealed: number; unreadable: number; problem: string | null } | null;
}
const state = async () => (await (await gateway.request('GET', '/console/data-key')).json()) as State;

const replace = async (json: Record<string, unknown> = {}) => {
  const answer = await gateway.request('POST', '/console/data-key/replace', { json });
  return { status: answer.status, body: (await answer.json()) as State & { detail?: string } };
};

/** Texts of the store in the form of a sealed one that the key alone does not open, or that no column of the list has. */
async function leftBehind(key: Uint8Array): Promise<string[]> {
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite') });
  const seal = createSeal(key);
  const found: string[] = [];
  try {
    for (const table of await tablesInOrder(db.unrestricted as never, db.capabilities))
      for await (const { rows } of pagesOf(db, table, null))
        for (const row of rows)
          for (const [column, value] of Object.entries(row)) {
            if (typeof value !== 'string' || !isSealedText(value) || table === 'data_key_proof') continue;
            const listed = SEALED_COLUMNS.find((each) => each.table === table && each.column === column);
            try {
              seal.open(value, listed?.context(row) ?? 'not in the list');
            } catch {
              found.push(`${table}.${column}`);
            }
          }
  } finally {
    await db.close();
  }
  return found;
}

async function finish(): Promise<void> {
  for (let pass = 0; pass < 4; pass += 1) {
    await gateway.processAll();
    gateway.clock.advance(MINUTE);
  }
}

const documentOf = async (id: string) => {
  const answer = await gateway.request('GET', `/fax/${id}/document`);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

test('rule (data-key): everything is sealed with a new data key while the gateway works, and the former one is removed at the end', async () => {
  const former = await keys();
  const sent = await gateway.send();
  await gateway.processAll();
  const waiting = await gateway.send({ to: '+12025550124' });
  const before = await documentOf(sent.id);
  expect(before.status).toBe(200);

  const begun = await replace();
  expect(begun).toMatchObject({ status: 202, body: { source: 'file', replacement: { pass: 1 } } });
  const both = await keys();
  expect([both.length, both.subarray(32).equals(former)]).toEqual([64, true]);
  expect(await replace()).toMatchObject({
    status: 409,
    body: { detail: 'The data key is being replaced already.' },
  });
  const during = await gateway.send({ to: '+12025550125' });

  await finish();
  const next = await keys();
  expect(next).toEqual(both.subarray(0, 32));
  expect((await state()).replacement).toBeNull();
  expect(await leftBehind(next)).toEqual([]);
  for (const { id } of [sent, waiting, during]) {
    const path = await readFileOf(id);
    expect(createFileSealer(next).renewed(path)).toBeNull();
  }
  gateway = await gateway.restart();
  expect((await documentOf(sent.id)).bytes).toEqual(before.bytes);
  expect((await documentOf(during.id)).status).toBe(200);
  expect((await (await gateway.request('GET', '/health/ready')).json()) as object).toMatchObject({
    problems: [],
  });
  const audit = await gateway.request('GET', '/access/audit?operation=data_key.replaced');
  expect(((await audit.json()) as { items: unknown[] }).items).toHaveLength(1);
});

/** The first bytes of the document of a fax, as they are stored. */
async function readFileOf(id: string): Promise<Buffer> {
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite') });
  try {
    const { artifact } = await db.read
      .selectFrom('fax_job')
      .select('artifact')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return await readFile(join(gateway.dataFolder, 'files', artifact ?? ''));
  } finally {
    await db.close();
  }
}

test('rule (data-key): a gateway that is started again in the middle of a replacement goes on with both keys', async () => {
  const sent = await gateway.send();
  expect((await replace()).status).toBe(202);
  gateway = await gateway.restart();
  expect((await documentOf(sent.id)).status).toBe(200);
  expect((await state()).replacement).toMatchObject({ pass: 1 });
  await finish();
  expect((await keys()).length).toBe(32);
  expect(await leftBehind(await keys())).toEqual([]);
});
