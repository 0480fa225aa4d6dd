import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createIppPrinters } from '../../server/adapters/printers/ipp.ts';
import { DocumentError } from '../../server/documents/documents.ts';
import type { FiledFax, JunkedFax, MovedFax } from '../../server/features/inbound/types.ts';
import { recordStep, takeStep } from '../../server/features/print-rules/attempt.ts';
import { printoutsPerDocument } from '../../server/features/print-rules/create-printouts.ts';
import { settleRestoredPrints } from '../../server/features/print-rules/offline.ts';
import type { PrintParts } from '../../server/features/print-rules/parts.ts';
import {
  deletePrintouts,
  findPrintout,
  insertPrintout,
  printoutsOfFax,
} from '../../server/features/print-rules/store/printout-store.ts';
import { insertPrintRule } from '../../server/features/print-rules/store/rule-store.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { newId } from '../../server/platform/ids.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { IMPORT_BACKEND } from '../../shared/backends.ts';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

describe.for(STORES)(`printing of a received fax on %s${withoutPostgres}`, (name) => {
  const clock = new ManualClock();
  const signal = new AbortController().signal;
  let store: TestStore;
  let printer: IppPrinter;
  beforeAll(async () => {
    store = await openStore(name);
  });
  beforeEach(async () => {
    printer = new IppPrinter();
    await printer.open();
  });
  afterEach(() => printer.close());
  afterAll(() => store.close());

  const parts = (given: Partial<PrintParts> = {}): PrintParts =>
    ({
      db: store.db,
      clock,
      logger: createLogger({ level: 'fatal', write: () => undefined }),
      queue: { enqueue: async () => true, makeDue: async () => undefined },
      events: { publish: () => undefined },
      permit: { isHeld: () => true },
      printers: createIppPrinters(),
      inbound: {
        recorded: async () => ({ fax: { document: 'one' } }),
        openStored: async () => ({ stream: Readable.from([Buffer.from('%PDF')]), sizeBytes: 4 }),
      },
      timeZone: () => 'UTC',
      ...given,
    }) as unknown as PrintParts;

  async function newRule(): Promise<string> {
    const at = isoTime(clock.now());
    const id = newId();
    const rule = { id, name: 'Desk', mailbox_id: 'desk', hours: null, printer: 'Reception' };
    const printer_url = printer.url;
    await store.db.transaction((tx) =>
      insertPrintRule(tx, { ...rule, printer_url, enabled: 1, version: 1, created_at: at, updated_at: at }),
    );
    return id;
  }

  async function newJob(): Promise<string> {
    const fax = inboundRow();
    const id = newId();
    const at = isoTime(clock.now());
    const names = { rule_id: await newRule(), rule_name: 'Desk', printer: 'Reception' } as const;
    const empty = { printer_url: null, problem: null, retry_at: null, printer_job: null, mailbox_id: null };
    const numbers = { from_number: null, to_number: null };
    const times = {
      submitted_at: null,
      printer_up_time: null,
      printed_at: null,
      recorded_at: at,
      updated_at: at,
    };
    const counts = { version: 1, failures: 0, pages: 1, is_test: 0 } as const;
    await store.db.transaction(async (tx) => {
      await tx.insertInto('inbound_fax').values(fax).execute();
      const row = {
        id,
        fax_id: fax.id,
        state: 'waiting',
        job_name: id,
        ...names,
        ...empty,
        ...times,
        ...counts,
        ...numbers,
      };
      await insertPrintout(tx, { ...row, state: 'waiting' });
    });
    return id;
  }

  async function attempt(id: string, given: Partial<PrintParts> = {}): Promise<number | null> {
    const step = await takeStep(parts(given), id, signal);
    return step === null ? null : store.db.transaction((tx) => recordStep(parts(given), tx, step));
  }
  const stateOf = async (id: string) => (await findPrintout(store.db.read, id))?.state;
  const pass = (seconds: number) => {
    clock.advance(seconds * SECOND);
    printer.upTime += seconds;
  };

  test('submits it once and follows it until it is printed', async () => {
    const id = await newJob();
    await attempt(id);
    expect(await stateOf(id)).toBe('accepted');
    await attempt(id);
    printer.print();
    expect(await attempt(id)).toBe(null);
    expect(await findPrintout(store.db.read, id)).toMatchObject({ state: 'printed', problem: null });
    await attempt(id);
    expect(printer.jobs.length).toBe(1);
  });

  test.for([
    ['after', true, 'accepted', 1],
    ['after', false, 'accepted', 1],
    ['before', true, 'waiting', 0],
    ['before', false, 'doubtful', 0],
  ] as const)(
    'settles a connection cut %s the job was made, with history %s, as %s',
    async ([cut, hasHistory, state, jobs]) => {
      if (hasHistory) printer.addJob('letter', { state: 9, endedAt: 500 });
      const id = await newJob();
      printer.cut = cut;
      await attempt(id);
      expect(await stateOf(id)).toBe('submitting');
      printer.cut = null;
      await attempt(id);
      // Too early to search.
      expect(await stateOf(id)).toBe('submitting');
      pass(61);
      await attempt(id);
      expect(await stateOf(id)).toBe(state);
      expect(printer.jobs.filter(({ name: jobName }) => jobName !== 'letter').length).toBe(jobs);
      await attempt(id);
      const submitted = printer.jobs.filter(({ name: jobName }) => jobName !== 'letter').length;
      expect(submitted).toBe(state === 'doubtful' ? 0 : 1);
    },
  );

  test('submits nothing when the gateway vanishes between its record and the submission', async () => {
    printer.addJob('letter', { state: 9, endedAt: 500 });
    const id = await newJob();
    let checks = 0;
    const permit = { isHeld: () => checks++ === 0 };
    await expect(attempt(id, { permit })).rejects.toThrow('permit');
    expect([await stateOf(id), printer.jobs.length]).toEqual(['submitting', 1]);
    pass(61);
    await attempt(id);
    await attempt(id);
    expect([await stateOf(id), printer.jobs.length]).toEqual(['accepted', 2]);
  });

  test('finds the job when the gateway vanishes before it records the answer', async () => {
    const id = await newJob();
    const real = createIppPrinters();
    const printers = {
      ...real,
      submit: async (...given: Parameters<typeof real.submit>) => {
        await real.submit(...given);
        throw new Error('vanished');
      },
    };
    await expect(attempt(id, { printers })).rejects.toThrow('vanished');
    printer.print();
    pass(61);
    await attempt(id);
    expect([await stateOf(id), printer.jobs.length]).toEqual(['printed', 1]);
  });

  test('records no late answer about a job that another gateway submitted again', async () => {
    printer.addJob('letter', { state: 9, endedAt: 500 });
    const id = await newJob();
    printer.cut = 'before';
    await attempt(id);
    printer.cut = null;
    pass(61);
    const real = createIppPrinters();
    const printers = {
      ...real,
      searchJob: async (...given: Parameters<typeof real.searchJob>) => {
        const found = await real.searchJob(...given);
        await attempt(id);
        printer.cut = 'after';
        await attempt(id);
        return found;
      },
    };
    await attempt(id, { printers });
    expect([await stateOf(id), printer.jobs.length]).toEqual(['submitting', 2]);
    printer.cut = null;
    pass(61);
    await attempt(id);
    expect([await stateOf(id), printer.jobs.length]).toEqual(['accepted', 2]);
  });

  test('waits for paper, and for a printer that is away', async () => {
    const id = await newJob();
    printer.reasons = ['media-empty-error'];
    expect(await attempt(id)).toBe(clock.now() + 60 * SECOND);
    expect(await findPrintout(store.db.read, id)).toMatchObject({
      state: 'waiting',
      problem: 'The printer has no paper. Add paper.',
    });
    await printer.close();
    expect(await attempt(id)).toBe(clock.now() + 120 * SECOND);
    await printer.open();
    printer.reasons = ['none'];
    await attempt(id);
    expect(await stateOf(id)).toBe('accepted');
  });

  describe('in pixels', () => {
    const storage = {
      withFile: async (_: string, work: (file: string) => Promise<unknown>) => work('fax.pdf'),
    };
    /** Draws parts of one page each; those from page `brokenPage` on cannot be drawn. */
    const documents = (pages: number, brokenPage = pages + 1) => ({
      async printRaster(_: unknown, __: unknown, { fromPage }: { fromPage: number }) {
        if (fromPage >= brokenPage) throw new DocumentError('too_large', 'The document is too complex.');
        const nextPage = fromPage === pages ? null : fromPage + 1;
        return { part: Buffer.from(`page ${fromPage};`), sheet: 'iso_a4_210x297mm', nextPage };
      },
    });
    const given = (of: ReturnType<typeof documents>) => ({ storage, documents: of }) as unknown as PrintParts;
    beforeEach(() => {
      printer.formats = ['image/pwg-raster'];
    });

    test('submits the pages one after another', async () => {
      const id = await newJob();
      await attempt(id, given(documents(3)));
      expect(await stateOf(id)).toBe('accepted');
      const document = Buffer.from('page 1;page 2;page 3;');
      expect(printer.jobs).toMatchObject([
        { format: 'image/pwg-raster', sheet: 'iso_a4_210x297mm', document },
      ]);
    });

    test.for<[number, string]>([
      [1, 'could not be drawn'],
      [3, 'Not all pages'],
    ])(
      'fails when page %i cannot be drawn, and does not print the pages before again',
      async ([page, sentence]) => {
        const id = await newJob();
        expect(await attempt(id, given(documents(3, page)))).toBe(null);
        expect(await findPrintout(store.db.read, id)).toMatchObject({
          state: 'failed',
          problem: expect.stringContaining(sentence),
        });
        pass(61);
        expect([await attempt(id, given(documents(3))), printer.jobs.length]).toEqual([null, 0]);
      },
    );
  });

  test('is created once when a document is filed, for each rule, and never for junk, tests and imports', async () => {
    const at = isoTime(clock.now());
    const rule = { id: newId(), name: 'All', mailbox_id: null, hours: null, printer: 'Reception' } as const;
    const printer_url = 'ipp://192.0.2.30/ipp/print';
    await store.db.transaction((tx) =>
      insertPrintRule(tx, { ...rule, printer_url, enabled: 1, version: 1, created_at: at, updated_at: at }),
    );
    const handler = printoutsPerDocument(parts());
    const file = async (given: Partial<FiledFax>) => {
      const row = inboundRow();
      const facts = { id: row.id, backend: 'cloudone', mailboxId: null, filedAt: at, document: { pages: 2 } };
      const flags = { isTest: false, isOfTestKey: false, isJunk: false };
      const fax = { ...facts, ...flags, ...given } as unknown as FiledFax;
      await store.db.transaction(async (tx) => {
        await tx.insertInto('inbound_fax').values(row).execute();
        await handler.onFiled(tx, fax);
        await handler.onFiled(tx, fax);
      });
      return printoutsOfFax(store.db.read, row.id);
    };
    const [job, ...others] = await file({});
    expect([job?.rule_name, job?.pages, others.length]).toEqual(['All', 2, 0]);
    expect(await file({ isJunk: true })).toEqual([]);
    expect(await file({ isOfTestKey: true })).toEqual([]);
    expect(await file({ backend: IMPORT_BACKEND })).toEqual([]);
    await store.db.transaction(async (tx) => {
      await handler.onMoved?.(tx, { id: job?.fax_id ?? '', mailboxId: 'sales' } as MovedFax);
      await handler.onJunked?.(tx, { id: job?.fax_id ?? '' } as JunkedFax);
    });
    expect(await findPrintout(store.db.read, job?.id ?? '')).toMatchObject({
      state: 'canceled',
      mailbox_id: 'sales',
    });
  });

  test('is a doubt after a restore', async () => {
    const [first, second] = [await newJob(), await newJob()];
    await store.db.transaction((tx) => settleRestoredPrints(tx, isoTime(clock.now())));
    expect([await stateOf(first), await stateOf(second)]).toEqual(['doubtful', 'doubtful']);
    expect([await attempt(first), printer.jobs.length]).toEqual([null, 0]);
  });

  test('prints nothing of a fax that was removed', async () => {
    const id = await newJob();
    const row = await findPrintout(store.db.read, id);
    await store.db.transaction((tx) => deletePrintouts(tx, [row?.fax_id ?? '']));
    expect([await attempt(id), printer.jobs.length]).toEqual([null, 0]);
  });
});
