import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeFax,
  findFax,
  findOfProvider,
  insertFax,
  listWithSource,
} from '../../server/features/inbound/store/fax-store.ts';
import { type FaxFilter, findKeys, listFaxes } from '../../server/features/inbound/store/list-store.ts';
import { markRead } from '../../server/features/inbound/store/read-store.ts';
import type { FaxRow } from '../../server/features/inbound/types.ts';
import { INBOUND_STATUSES } from '../../shared/states/inbound.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const ROWS = 120;
const ALL = { everything: true, mailboxIds: [], documentIds: [] };
const ME = 'principal-1';
const CHANGED = '2026-11-01T06:00:00.000Z';

/** Every combination of facts occurs, and several faxes share each moment. */
const rows: FaxRow[] = Array.from({ length: ROWS }, (_, n) =>
  inboundRow({
    received_at: new Date(Date.UTC(2026, 10, 1, 0, Math.floor(n / 3))).toISOString(),
    updated_at: new Date(Date.UTC(2026, 10, 1, n % 9)).toISOString(),
    status: INBOUND_STATUSES[n % 3] ?? 'received',
    mailbox_id: [null, 'a', 'b', 'c'][n % 4] ?? null,
    to_number: n % 5 === 0 ? null : `+1202555010${n % 5}`,
    from_number: `+1202555019${n % 7}`,
    backend: n % 11 === 0 ? 'test' : 'cloudone',
    search_text: `text-${n % 6}`,
    captured: n % 10 === 3 ? 'sealed' : null,
  }),
);
const isRead = (row: FaxRow) => rows.indexOf(row) % 2 === 0;
const [one, two] = [rows[5], rows[8]] as [FaxRow, FaxRow];

type Check = [name: string, filter: Omit<FaxFilter, 'limit'>, fits: (row: FaxRow) => boolean];
const scoped = { everything: false, mailboxIds: ['a', 'c'], documentIds: [one.id, two.id] };
const inScope = (row: FaxRow) =>
  row.mailbox_id === 'a' || row.mailbox_id === 'c' || row === one || row === two;
const many = {
  everything: false,
  mailboxIds: ['a', ...Array.from({ length: 150 }, (_, i) => `m${i}`)],
  documentIds: [],
};
const checks: Check[] = [
  ['everything', { scope: ALL }, () => true],
  ['a status', { scope: ALL, statuses: ['waiting'] }, (row) => row.status === 'waiting'],
  ['two states', { scope: ALL, statuses: ['waiting', 'failed'] }, (row) => row.status !== 'received'],
  ['a mailbox', { scope: ALL, mailboxId: 'b' }, (row) => row.mailbox_id === 'b'],
  ['a receiver', { scope: ALL, to: '+12025550101' }, (row) => row.to_number === '+12025550101'],
  ['a sender', { scope: ALL, from: '+12025550193' }, (row) => row.from_number === '+12025550193'],
  ['a source', { scope: ALL, backend: 'test' }, (row) => row.backend === 'test'],
  ['a text', { scope: ALL, texts: ['text-4', 'nothing'] }, (row) => row.search_text === 'text-4'],
  ['what changed', { scope: ALL, updatedSince: CHANGED }, (row) => row.updated_at >= CHANGED],
  ['what is unread', { scope: ALL, unreadBy: ME }, (row) => !isRead(row)],
  ['what a part of the mailboxes holds', { scope: scoped }, inScope],
  [
    'a mailbox and a receiver of what is visible',
    { scope: scoped, mailboxId: 'a', to: '+12025550102' },
    (row) => inScope(row) && row.mailbox_id === 'a' && row.to_number === '+12025550102',
  ],
  [
    'what is unread and received of what is visible',
    { scope: scoped, statuses: ['received'], unreadBy: ME },
    (row) => inScope(row) && row.status === 'received' && !isRead(row),
  ],
  ['more mailboxes than one query takes', { scope: many }, (row) => row.mailbox_id === 'a'],
  [
    'what came lately or is named',
    {
      scope: scoped,
      unreadRange: {
        oldestUnread: rows[80]?.received_at ?? '',
        older: [rows[1], two].map((row) => row?.id ?? ''),
      },
    },
    (row) =>
      inScope(row) && (row.received_at >= (rows[80]?.received_at ?? '') || row === rows[1] || row === two),
  ],
  ['nothing', { scope: { everything: false, mailboxIds: [], documentIds: [] } }, () => false],
];

describe.each(STORES)(`received faxes in %s${withoutPostgres}`, (name) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
    await store.db.transaction(async (tx) => {
      for (const row of rows) await insertFax(tx, row);
      for (const row of rows.filter(isRead))
        await markRead(tx, { principalId: ME, name: 'Me', faxId: row.id, at: row.received_at });
    });
  });
  afterAll(() => store.close());

  test('are found by their backend while their source is still needed', async () => {
    const wanted = rows.filter(({ captured, backend }) => captured !== null && backend === 'cloudone');
    const found = await listWithSource(store.db.read, 'cloudone');
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(wanted.map(({ id }) => id)));
    expect(await listWithSource(store.db.read, 'sip')).toEqual([]);
  });

  test.each(checks)('are listed page by page for %s', async (_what, filter, fits) => {
    const newest = (a: FaxRow, b: FaxRow) =>
      a.received_at === b.received_at ? (a.id < b.id ? 1 : -1) : a.received_at < b.received_at ? 1 : -1;
    const wanted = rows.filter(fits).sort(newest);
    const readAll = async (more: Partial<FaxFilter>) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listFaxes(store.db.read, { ...filter, ...more, limit: 7, cursor });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return seen;
    };
    expect(await readAll({})).toEqual(wanted.map(({ id }) => id));
    // A search that looks through few faxes at a time finds the same.
    const held = wanted.filter(({ search_text }) => search_text === 'text-4').map(({ id }) => id);
    expect(await readAll({ texts: ['text-4'], maxScanned: 20 })).toEqual(held);
    const keys = await findKeys(store.db.read, { ...filter, limit: 1000 });
    expect(keys.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    expect(await findKeys(store.db.read, { ...filter, limit: 3 })).toEqual(keys.slice(0, 3));
  });

  test('are one for each fax of an account, whoever records it first', async () => {
    const fax = { provider_fax_id: 'same', provider_account: 'cloudone:one' };
    const other = store.connectAgain();
    const insert = (db: TestStore['db'], row: FaxRow) => db.transaction((tx) => insertFax(tx, row));
    const answers = await Promise.all(
      [store.db, other, store.db, other].map((db) => insert(db, inboundRow(fax))),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await insert(store.db, inboundRow({ ...fax, provider_account: 'cloudone:two' }))).toBe(true);
    expect((await findOfProvider(store.db.read, 'cloudone:one', ['same', 'none'])).size).toBe(1);
  });

  test('are changed only with their current version', async () => {
    const row = inboundRow();
    await store.db.transaction((tx) => insertFax(tx, row));
    const change = (version: number) =>
      store.db.transaction((tx) =>
        changeFax(tx, { ...row, version }, { problem: `${version}`, updated_at: row.updated_at }),
      );
    expect(await change(row.version)).toMatchObject({ version: row.version + 1, problem: '2' });
    expect(await change(row.version)).toBeNull();
    expect((await findFax(store.db.read, row.id))?.problem).toBe('2');
  });
});
