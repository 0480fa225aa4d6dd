import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changePrintout,
  countPrintouts,
  deletePrintouts,
  findPrintout,
  insertPrintout,
  printoutsOfFax,
  unprintedAmong,
} from '../../server/features/print-rules/store/printout-store.ts';
import {
  changePrintRule,
  deletePrintRule,
  insertPrintRule,
  listPrintRules,
  matchingPrintRules,
} from '../../server/features/print-rules/store/rule-store.ts';
import type { PrintoutRow, PrintRuleRow } from '../../server/features/print-rules/types.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { newId } from '../../server/platform/ids.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

describe.for(STORES)(`printed faxes on %s${withoutPostgres}`, (name) => {
  const clock = new ManualClock();
  const now = () => isoTime(clock.now());
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());

  function rule(given: Partial<PrintRuleRow>): PrintRuleRow {
    clock.advance(SECOND);
    return {
      id: newId(),
      name: 'Front desk',
      mailbox_id: null,
      hours: null,
      printer: 'Reception',
      printer_url: 'ipp://192.0.2.30/ipp/print',
      enabled: 1,
      version: 1,
      created_at: now(),
      updated_at: now(),
      ...given,
    };
  }

  async function job(given: Partial<PrintoutRow> = {}): Promise<PrintoutRow> {
    const fax = inboundRow();
    clock.advance(SECOND);
    const id = newId();
    const row: PrintoutRow = {
      id,
      fax_id: fax.id,
      rule_id: 'r1',
      rule_name: 'Front desk',
      printer: 'Reception',
      printer_url: null,
      state: 'waiting',
      version: 1,
      problem: null,
      failures: 0,
      retry_at: null,
      job_name: `fax-${id}-1`,
      printer_job: null,
      mailbox_id: null,
      from_number: '+12025550199',
      to_number: null,
      pages: 1,
      is_test: 0,
      submitted_at: null,
      printer_up_time: null,
      printed_at: null,
      recorded_at: now(),
      updated_at: now(),
      ...given,
    };
    await store.db.transaction(async (tx) => {
      await tx.insertInto('inbound_fax').values(fax).execute();
      await insertPrintout(tx, row);
    });
    return row;
  }

  test('match the rules of their mailbox and those of all mailboxes', async () => {
    const rows = [
      rule({ name: 'All' }),
      rule({ name: 'Sales', mailbox_id: 'sales' }),
      rule({ name: 'Off', mailbox_id: 'sales', enabled: 0 }),
    ];
    await store.db.transaction(async (tx) => {
      for (const row of rows) await insertPrintRule(tx, row);
    });
    const names = async (mailbox: string | null) =>
      (await matchingPrintRules(store.db.read, mailbox)).map((row) => row.name);
    expect(await names('sales')).toEqual(['All', 'Sales']);
    expect([await names('other'), await names(null)]).toEqual([['All'], ['All']]);
  });

  test('have rules that are changed and deleted by one person at a time', async () => {
    const row = rule({ name: 'Night' });
    await store.db.transaction((tx) => insertPrintRule(tx, row));
    const change = (version: number) =>
      store.db.transaction((tx) =>
        changePrintRule(tx, { id: row.id, version }, { name: 'Day', updated_at: now() }),
      );
    expect(await change(1)).toMatchObject({ name: 'Day', version: 2 });
    expect(await change(1)).toBe(null);
    const remove = (version: number) =>
      store.db.transaction((tx) => deletePrintRule(tx, { id: row.id, version }));
    expect([await remove(1), await remove(2), await remove(2)]).toEqual([false, true, false]);
    expect((await listPrintRules(store.db.read)).map(({ id }) => id)).not.toContain(row.id);
  });

  test('have one job for each rule, and one change for each version of a job', async () => {
    const row = await job();
    const again = { ...row, id: newId(), job_name: `${row.job_name}-again` };
    expect(await store.db.transaction((tx) => insertPrintout(tx, again))).toBe(false);
    const changes = { state: 'submitting', updated_at: now() } as const;
    const changed = await Promise.all(
      [store.db, store.connectAgain(), store.db].map((db) =>
        db.transaction((tx) => changePrintout(tx, row, changes)),
      ),
    );
    expect(changed.filter((one) => one !== null)).toMatchObject([{ state: 'submitting', version: 2 }]);
    const back = store.db.transaction((tx) =>
      changePrintout(tx, { ...row, state: 'printed', version: 2 }, { state: 'waiting', updated_at: now() }),
    );
    await expect(back).rejects.toThrow('printed to waiting');
    expect((await printoutsOfFax(store.db.read, row.fax_id)).map(({ id }) => id)).toEqual([row.id]);
  });

  test('never share a name at the printer', async () => {
    const row = await job();
    await expect(job({ job_name: row.job_name })).rejects.toThrow();
  });

  test('are counted, found unprinted and deleted with their fax', async () => {
    const open = await job({ state: 'doubtful' });
    const done = await job({ state: 'printed' });
    expect(await unprintedAmong(store.db.read, [open.fax_id, done.fax_id])).toEqual(new Set([open.fax_id]));
    expect(await countPrintouts(store.db.read)).toContainEqual({ state: 'doubtful', printouts: 1 });
    await store.db.transaction((tx) => deletePrintouts(tx, [open.fax_id]));
    expect(await findPrintout(store.db.read, open.id)).toBe(undefined);
    expect(await findPrintout(store.db.read, done.id)).toMatchObject({ state: 'printed' });
  });
});
