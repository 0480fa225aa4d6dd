import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../server/db/database.ts';
import { encodeCursor } from '../../server/db/keyset.ts';
import { NEW_CONTACT, rowOf } from '../../server/features/contacts/contact-row.ts';
import { NO_KEY } from '../../server/features/contacts/shared-key.ts';
import { insertContacts } from '../../server/features/contacts/store/contact-store.ts';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { fillStore } from './fill-store.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const CONTACTS_TO_COMPLETE = 10_000;
const CONTACTS_TO_LIST = 100_000;
/** Contacts in one INSERT: SQLite accepts at most 32,766 values. */
const BATCH = 500;
const ROUNDS = 9;
const REQUESTS = 12;
/** Delay after a key press that people do not notice. */
const COMPLETION_MS = 30;
const FAXES = 1_000;

/** Typed texts by what they are, including some without a match. */
const TYPED: Readonly<Record<string, string>> = {
  'a letter': 'c',
  'a part of a name': 'clinic 99',
  'an organization': 'group 7',
  'a tag': 'cardio',
  'a part of a number': '5559999',
  'a text that nothing has': 'nowhere at all',
  nothing: '',
};

/** Measures completion among 10,000 contacts against 30 ms, and page 1,000 of 100,000 contacts against page 1. */
export async function run(): Promise<Figure[]> {
  return [
    ...(await withContacts(CONTACTS_TO_COMPLETE, completion)),
    ...(await withContacts(CONTACTS_TO_LIST, pages)),
  ];
}

/** Returns a function that requests the path and returns the mean time of an answer in ms. */
type RequestOf = (path: string) => () => Promise<number>;

async function withContacts(
  count: number,
  measure: (requestOf: RequestOf) => Promise<Figure[]>,
): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const where = { postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') };
  await fillStore(where, FAXES);
  await fillContacts(where, count);
  const child = await startChild<GatewayReady>('gateway-process.ts', {
    dataFolder,
    databaseUrl: null,
    environment: {},
  });
  const load = new Load(child.ready.url, 1);
  const request = { method: 'GET', headers: { 'X-API-Key': BENCH_KEY }, expect: 200 } as const;
  try {
    return await measure((path) => async () => 1000 / (await load.sendAll(REQUESTS, { ...request, path })));
  } finally {
    load.close();
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function completion(requestOf: RequestOf): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, typed] of Object.entries(TYPED)) {
    const measured = requestOf(`/contacts/complete?q=${encodeURIComponent(typed)}`);
    const [values = [], reference = []] = await inTurns(measured, requestOf('/contacts?limit=1'));
    const ms = median(values);
    figures.push({
      name: `completion of ${what} among 10,000 contacts`,
      ratio: Number((ms / COMPLETION_MS).toFixed(2)),
      bar: 1,
      atMost: true,
      unit: `of ${COMPLETION_MS} ms`,
      detail: `${ms.toFixed(1)} ms, ${ratioOf(values, reference)} of one contact of the list`,
    });
  }
  return figures;
}

const PAGE = 50;

async function pages(requestOf: RequestOf): Promise<Figure[]> {
  const first = requestOf(`/contacts?limit=${PAGE}`);
  const cursor = encodeCursor([sortName(PAGE * 999), idOf(PAGE * 999)]);
  const paths: Readonly<Record<string, readonly [path: string, bar: number]>> = {
    'page 1,000': [`/contacts?limit=${PAGE}&cursor=${cursor}`, 1.5],
    'a tag of a tenth': [`/contacts?limit=${PAGE}&tag=tag%203`, 3],
    'a number': ['/contacts?fax_number=%2B12130000777', 1.5],
    'a text that nothing has': [`/contacts?limit=${PAGE}&q=nowhere`, 15],
    tags: ['/contacts/tags', 15],
  };
  const figures: Figure[] = [];
  for (const [what, [path, bar]] of Object.entries(paths)) {
    const [values = [], reference = []] = await inTurns(requestOf(path), first);
    figures.push({
      name: `${what} of 100,000 contacts`,
      ratio: ratioOf(values, reference),
      bar,
      atMost: true,
      unit: 'of page 1',
      detail: `${median(values).toFixed(1)} ms, page 1 ${median(reference).toFixed(1)} ms`,
    });
  }
  return figures;
}

async function inTurns(
  measured: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<number[][]> {
  await measureInTurns(2, [measured, reference]);
  return measureInTurns(ROUNDS, [measured, reference]);
}

const idOf = (n: number) => `01900000-0000-7000-9000-${n.toString(16).padStart(12, '0')}`;
/** Returns a sort name that keeps the order of the numbers. */
const sortName = (n: number) => `clinic ${String(n).padStart(6, '0')}`;

async function fillContacts(where: Parameters<typeof openDatabase>[0], count: number): Promise<void> {
  const db = openDatabase(where);
  const at = '2026-01-01T00:00:00.000Z';
  const contactOf = (n: number) => {
    const fields = {
      ...NEW_CONTACT,
      name: `Clinic ${String(n).padStart(6, '0')}`,
      organization: `Group ${n % 100}`,
      fax_number: `+1213${String(n).padStart(7, '0')}`,
      tags: [`tag ${n % 10}`, n % 50 === 0 ? 'Cardiology' : 'Office'],
      note: 'Open in the mornings; call before you send more than ten pages.',
    };
    return { id: idOf(n), ...rowOf(fields, at, null), ...NO_KEY, version: 1, created_at: at, updated_at: at };
  };
  try {
    await db.transaction(async (tx) => {
      for (let n = 0; n < count; n += BATCH)
        await insertContacts(
          tx,
          Array.from({ length: BATCH }, (_, place) => contactOf(n + place)),
        );
    });
  } finally {
    await db.close();
  }
}
