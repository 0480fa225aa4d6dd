import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ImportsGateway, manifestOf } from '../api/imports-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { createRandom } from '../fuzz/random.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, withoutPostgres } from '../setup/stores.ts';

const TIMES = 12;
const DOCUMENTS = [1, 2, 3].map((pages) => textPdf(pages));
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function start(): Promise<ImportsGateway> {
  const imports = await ImportsGateway.start();
  cleanups.push(() => imports.close());
  return imports;
}

/** Two gateways on one PostgreSQL database that see the same documents. */
async function startTwo(): Promise<[ImportsGateway, ImportsGateway]> {
  const databaseUrl = await newPostgresDatabase();
  cleanups.push(() => dropPostgresDatabase(databaseUrl));
  const one = await ImportsGateway.start({ databaseUrl });
  cleanups.push(() => one.close());
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-second-'));
  cleanups.push(() => rm(dataFolder, { recursive: true, force: true }));
  for (const name of ['files', 'data.key'])
    await symlink(join(one.gateway.dataFolder, name), join(dataFolder, name));
  const { clock, emulator } = one.gateway;
  const two = await ImportsGateway.start({ databaseUrl, dataFolder, clock, emulator });
  cleanups.push(() => two.gateway.stop());
  return [one, two];
}

/** Returns the number of entries in the work queue. */
async function workItems(imports: ImportsGateway): Promise<number> {
  const answer = await imports.gateway.request('GET', '/work?limit=200');
  return ((await answer.json()) as { items: unknown[] }).items.length;
}

/** The same import from all sides at once, and then two documents for one operation. */
async function expectOneImport(gateways: readonly ImportsGateway[]): Promise<void> {
  const [first] = gateways as [ImportsGateway];
  const at = (i: number) => gateways[i % gateways.length] as ImportsGateway;
  const same = manifestOf();
  const answers = await Promise.all(
    Array.from({ length: TIMES }, (_, i) => at(i).import(same, DOCUMENTS[0])),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(TIMES).fill(200));
  expect(answers.filter(({ body }) => body.status === 'received')).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => `${body.import_id} ${body.inbound_id}`)).size).toBe(1);

  const contested = manifestOf();
  const both = await Promise.all(
    Array.from({ length: TIMES }, (_, i) => at(i >> 1).import(contested, DOCUMENTS[i % 2])),
  );
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(both.filter(({ body }) => body.status === 'received')).toHaveLength(1);
  const faxes = await first.list('?limit=200');
  expect(faxes.map(({ conflicts }) => `${conflicts} conflicts`).sort()).toEqual([
    '0 conflicts',
    '1 conflicts',
  ]);
  expect(await first.stored()).toHaveLength(2);
  expect(new Set(faxes.map(({ work_item_id }) => work_item_id)).size).toBe(2);
  expect(await workItems(first)).toBe(2);
}

test('rule (imports): an operation of another system is one document and one fax, however many requests import it at once', async () => {
  await expectOneImport([await start()]);
});

describe.skipIf(withoutPostgres)('with PostgreSQL', () => {
  test('the same holds for two gateways of one installation', async () => {
    await expectOneImport(await startTwo());
  });
});

test('200 random imports, repeats and conflicts at once leave one document for each operation', async () => {
  const imports = await start();
  const random = createRandom(16);
  const plans = Array.from({ length: 200 }, () => ({
    operation_id: `op ${random.int(40)}`,
    revision: random.pick([null, null, '1', '2']),
    document: random.chance(75) ? 0 : random.int(DOCUMENTS.length),
  }));
  const left = [...plans];
  const seen: {
    plan: (typeof plans)[number];
    status: number;
    inbound_id?: string | undefined;
    result?: string | undefined;
  }[] = [];
  const work = async () => {
    for (let plan = left.pop(); plan; plan = left.pop()) {
      const { document, ...named } = plan;
      const { status, body } = await imports.import(manifestOf(named), DOCUMENTS[document]);
      seen.push({ plan, status, inbound_id: body.inbound_id, result: body.status });
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const faxes = await imports.list('?limit=200');
  const keyOf = ({ operation_id, revision }: (typeof plans)[number]) => `${operation_id}#${revision ?? ''}`;
  const operations = new Set(plans.map(keyOf));
  expect(faxes).toHaveLength(operations.size);
  expect((await readdir(join(imports.gateway.dataFolder, 'files', 'inbound'))).length).toBe(operations.size);
  expect(await workItems(imports)).toBe(operations.size);
  for (const operation of operations) {
    const all = seen.filter(({ plan }) => keyOf(plan) === operation);
    const first = all.filter(({ result }) => result === 'received');
    expect([operation, first.length]).toEqual([operation, 1]);
    const { plan, inbound_id } = first[0] as (typeof all)[number];
    const kept = DOCUMENTS[plan.document] as Buffer;
    const fax = faxes.find(({ id }) => id === inbound_id);
    expect(fax?.sha256).toBe(createHash('sha256').update(kept).digest('hex'));
    for (const each of all) expect(each.status).toBe(each.plan.document === plan.document ? 200 : 409);
    const others = new Set(
      all.map((each) => each.plan.document).filter((document) => document !== plan.document),
    );
    expect([operation, fax?.conflicts]).toEqual([operation, others.size]);
  }
}, 60_000);
