import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecurityAudit } from '../../server/features/audit/service.ts';
import { holdsOn } from '../../server/features/holds/covering.ts';
import { createHoldsService, type HoldsService } from '../../server/features/holds/service.ts';
import { heldFactsOf } from '../../server/features/inbound/legal-hold.ts';
import { listExpired } from '../../server/features/inbound/store/fax-store.ts';
import { findKeys } from '../../server/features/inbound/store/list-store.ts';
import type { FaxRow } from '../../server/features/inbound/types.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { DAY, ManualClock } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const EVE = fakeCaller({ id: 'eve' });
const NUMBERS = [null, '+12025550101', '+12025550102', '+12025550103'];
const MAILBOXES = [null, 'ward', 'desk'];
const LATER = '2099-01-01T00:00:00.000Z';

describe.each(STORES)('legal holds in the store on %s', (name) => {
  let store: TestStore;
  let holds: HoldsService;
  const clock = new ManualClock();
  const rows: FaxRow[] = [];
  beforeAll(async () => {
    store = await openStore(name);
    holds = createHoldsService({
      db: store.db,
      clock,
      audit: createSecurityAudit({ clock }),
      contacts: { get: async () => ({}) as never },
      faxes: () => ({
        readableAmong: async (_caller, ids) => new Set(ids),
        existingAmong: async (_db, ids) => new Set(ids),
        figuresOf: async () => ({ sent: 0, received: 0, documentsDue: 0, nextCleanupAt: null }),
      }),
      country: () => 'US',
    });
    for (const from of NUMBERS)
      for (const to of NUMBERS)
        for (const mailbox of MAILBOXES) {
          const id = `fax-${rows.length}`;
          rows.push(
            inboundRow({
              id,
              provider_fax_id: id,
              from_number: from,
              to_number: to,
              mailbox_id: mailbox,
              document: `inbound/${id}.pdf`,
              received_at: new Date(clock.now() - rows.length * DAY).toISOString(),
            }),
          );
        }
    await store.db.transaction((tx) => tx.insertInto('inbound_fax').values(rows).execute());
  });
  afterAll(() => store.close());

  test('rule (holds): the query of the retention and the check of one fax agree on the faxes that a legal hold covers', async () => {
    const day = (n: number) => new Date(clock.now() - n * DAY).toISOString();
    const scopes = [
      { number: '+12025550101' },
      { number: '+12025550102', since: day(30) },
      { mailbox_id: undefined, since: day(20), until: day(10) },
      { until: day(40) },
      { case_id: '4711' },
      { fax_ids: ['fax-3', 'fax-40'] },
    ];
    for (const scope of scopes) {
      const placed = await holds.place(EVE, { name: 'A', reason: 'B', ...scope });
      const open = await holds.open(store.db.read);
      const expired = await listExpired(store.db.read, { before: LATER, holds: open, limit: 1_000 });
      const kept = rows.filter((row) => holdsOn(open, heldFactsOf(row)).length > 0).map(({ id }) => id);
      const left = rows.filter(({ id }) => !kept.includes(id)).map(({ id }) => id);
      expect([scope, expired.map(({ id }) => id).toSorted(byText)]).toEqual([scope, left.toSorted(byText)]);
      const listed = await findKeys(store.db.read, {
        scope: { everything: true, mailboxIds: [], documentIds: [] },
        testFaxes: 'with',
        holds: open,
        limit: 1_000,
      });
      expect([scope, listed.map(({ id }) => id).toSorted(byText)]).toEqual([scope, kept.toSorted(byText)]);
      await holds.release(EVE, placed, '');
    }
    expect(await holds.open(store.db.read)).toEqual([]);
  });

  test('keeps a fax that leaves the mailbox of a hold, once', async () => {
    const row = rows.find(({ mailbox_id }) => mailbox_id === 'ward');
    if (!row) throw new Error('no fax of the ward');
    const at = new Date(clock.now()).toISOString();
    await store.db.transaction(async (tx) => {
      await tx
        .insertInto('legal_hold')
        .values({
          id: 'ward-hold',
          name: 'Ward',
          reason: 'B',
          kind: 'mailbox',
          case_id: null,
          numbers: '[]',
          contact_id: null,
          contact_name: null,
          mailbox_id: 'ward',
          since: null,
          until: null,
          placed_at: at,
          placed_by_id: null,
          placed_by: 'Eve',
          released_at: null,
          released_by_id: null,
          released_by: null,
          release_note: null,
          version: 1,
        })
        .execute();
      await holds.keepMoved(tx, heldFactsOf(row));
      await holds.keepMoved(tx, heldFactsOf(row));
    });
    const open = await holds.open(store.db.read);
    expect(open).toMatchObject([{ id: 'ward-hold', faxIds: [row.id] }]);
    expect(holdsOn(open, heldFactsOf({ ...row, mailbox_id: 'desk' }))).toHaveLength(1);
  });
});

const byText = (a: string, b: string) => a.localeCompare(b);
