import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageMissingError } from '../../server/adapters/storage/port.ts';
import type { DocumentRead } from '../../server/features/access/service.ts';
import { recordedFax } from '../../server/features/inbound/reading/recorded-fax.ts';
import { createSigningService } from '../../server/features/signing/service.ts';
import { act } from '../../server/features/work/acts.ts';
import { create } from '../../server/features/work/change.ts';
import { exportEvidence } from '../../server/features/work/evidence/export-evidence.ts';
import { verifyEvidence } from '../../server/features/work/evidence/verify-evidence.ts';
import type { WorkParts } from '../../server/features/work/parts.ts';
import { listHistory } from '../../server/features/work/store/history-store.ts';
import { findItem } from '../../server/features/work/store/item-store.ts';
import { createEventBus } from '../../server/platform/events.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { ITEM, ORIGINAL } from '../setup/evidence-sample.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { NO_HOLDS } from '../setup/no-holds.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const SEAL = createSeal(new Uint8Array(32).fill(7));
const EVE = fakeCaller({ id: 'eve' });
const may = (...permissions: string[]) =>
  fakeCaller({ id: 'eve', holds: (permission: string) => permissions.includes(permission) });

describe.each(STORES)('the export of a work item, on %s', (name) => {
  let store: TestStore;
  let folder: string;
  let clock: ManualClock;
  let parts: WorkParts;
  /** Stored documents, by name. */
  let stored: Map<string, Buffer>;
  let opened: DocumentRead[];

  beforeEach(async () => {
    store = await openStore(name);
    folder = await mkdtemp(join(tmpdir(), 'faxdesk-export-'));
    clock = new ManualClock();
    stored = new Map();
    opened = [];
    const signing = createSigningService({ db: store.db, seal: SEAL, clock });
    await signing.start();
    parts = {
      db: store.db,
      clock,
      seal: SEAL,
      signing,
      logger: createLogger({ level: 'fatal', write: () => undefined }),
      events: createEventBus(() => undefined),
      settings: {
        notes: () => [],
        acknowledgeHours: () => 0,
        directItems: () => false,
        locality: () => ({ country: 'US', timeZone: 'America/New_York' }),
      },
      inbound: {
        recorded: (db, id) => recordedFax({ seal: SEAL, holds: NO_HOLDS }, db, id),
        about: { ofFaxes: async () => new Map(), find: async () => [] },
        incomplete: { textsByFax: async () => new Map(), count: async () => 0 },
        junkAmong: async () => new Set<string>(),
        recoveredOriginal: async () => null,
        undoJunk: async () => undefined,
        async openStored(each) {
          const bytes = stored.get(each);
          if (!bytes) throw new StorageMissingError(each);
          return {
            stream: Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]),
            sizeBytes: bytes.length,
          };
        },
      },
      imports: { find: async () => null },
      mail: { deliveriesOf: async () => [] },
      prints: { printoutsOf: async () => [] },
      noteDocumentRead: async (_caller, read) => void opened.push(read),
    } as Partial<WorkParts> as WorkParts;
    await addItem('item-1');
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function addItem(id: string, bytes = ORIGINAL): Promise<void> {
    const sha256 = sha256Hex(bytes);
    const fax = inboundRow({ id: `fax-of-${id}`, sha256, size_bytes: bytes.length });
    stored.set(fax.document ?? '', bytes);
    const item = { ...ITEM, id, inbound_fax_id: fax.id, sha256, state_key: 'waiting', owner_id: '' } as const;
    await store.db.transaction(async (tx) => {
      await tx.insertInto('inbound_fax').values(fax).execute();
      const row = { ...item, version: 1, mailbox_id: null, assigned_at: null };
      await create(parts, tx, row, { kind: 'created', text: 'The document arrived.' });
    });
  }

  async function exported(
    id = 'item-1',
    callers: { caller?: typeof EVE; currentCaller?: () => Promise<typeof EVE> } = {},
  ) {
    clock.advance(MINUTE);
    const { caller = EVE, currentCaller = async () => caller } = callers;
    const download = await exportEvidence(parts, { caller, currentCaller, isEmpty: false }, id);
    const bytes = await buffer(download.stream);
    const path = join(folder, download.fileName);
    await writeFile(path, bytes);
    const check = await verifyEvidence(path);
    return { ...check, bytes, download };
  }

  const contentOf = ({ manifest }: Awaited<ReturnType<typeof exported>>) => ({ ...manifest, export: null });
  const kinds = async (id = 'item-1') => (await listHistory(store.db.read, id)).map(({ kind }) => kind);
  const item = async (id = 'item-1') => (await findItem(store.db.read, id)) ?? ITEM;
  /** Accesses the store directly, as a person with write access to it could. */
  const whole = () => store.db.unrestricted;

  it('is intact, has the stated length, and is recorded without a new version', async () => {
    const found = await exported();
    expect(found).toMatchObject({ intact: true, faults: [] });
    expect(found.bytes.length).toBe(found.download.sizeBytes);
    expect(found.bytes.includes(ORIGINAL)).toBe(true);
    expect(found.download.fileName).toMatch(/^faxdesk-evidence-\d{4}-\d\d-\d\d-\d{6}\.zip$/u);
    expect(found.manifest?.export).toMatchObject({ snapshot_version: 1, missing: [] });
    expect(found.manifest?.history.map(({ kind }) => kind)).toEqual(['created']);
    expect(await item()).toMatchObject({ version: 1, history_count: 2 });
    expect((await listHistory(store.db.read, 'item-1')).at(-1)).toMatchObject({
      kind: 'exported',
      actor: 'eve',
      item_version: 1,
      text: `eve exported an evidence archive with the document (export ${found.manifest?.export.id}).`,
    });
    expect(opened).toEqual([{ use: 'download', document: 'received fax', id: 'fax-of-item-1' }]);
    expect(found.bytes.toString('latin1')).toContain('Times are in America/New_York.');
  });

  it('rule (work): an unchanged work item gives the same manifest at every export', async () => {
    const first = await exported();
    const second = await exported('item-1', { caller: fakeCaller({ id: 'sam' }) });
    expect(contentOf(second)).toEqual(contentOf(first));
    const own = { id: '', created_at: '' };
    expect({ ...second.manifest?.export, ...own }).toEqual({ ...first.manifest?.export, ...own });
    // A caller who may not open the document gets it neither way; the reason is given beside the ID and time.
    const without = await exported('item-1', { caller: may('work:read', 'work:export') });
    expect(contentOf(without)).toEqual(contentOf(first));
    expect(without.manifest?.export.missing).toMatchObject([{ part: 'original.pdf', reason: 'not_allowed' }]);
    expect(second.manifest?.export.id).not.toBe(first.manifest?.export.id);
    await act(parts, EVE, { id: 'item-1', version: 1 }, { kind: 'done', note: 'Filed.' });
    const third = await exported();
    expect(third).toMatchObject({ intact: true });
    expect(third.manifest?.export.snapshot_version).toBe(2);
    expect(third.manifest?.history.map(({ kind }) => kind)).toEqual([
      'created',
      'exported',
      'exported',
      'exported',
      'done',
    ]);
    expect(third.manifest?.item).toMatchObject({ state: 'done', done_by: { id: 'eve', name: 'eve' } });
  });

  it('of twenty items twice gives equal manifests', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    for (const id of ids) await addItem(id, Buffer.from(`%PDF of ${id}`));
    for (const id of ids) {
      const [first, second] = [await exported(id), await exported(id)];
      expect([first.faults, second.faults]).toEqual([[], []]);
      expect(contentOf(second)).toEqual(contentOf(first));
    }
  });

  it('beside changes by others leaves a whole history, and every version is changed once', async () => {
    const other = { ...parts, db: store.connectAgain() };
    const acting = async (each: WorkParts, version: number) =>
      act(
        each,
        EVE,
        { id: 'item-1', version },
        version % 2 === 1 ? { kind: 'done', note: 'Filed.' } : { kind: 'reopen' },
      );
    for (let version = 1; version <= 6; version += 1) {
      const request = { caller: EVE, currentCaller: async () => EVE, isEmpty: false };
      const exports = [parts, other].map((each) => exportEvidence(each, request, 'item-1'));
      const acts = [parts, other].map((each) =>
        acting(each, version).then(
          () => 'done',
          (error: Error) => error.message,
        ),
      );
      await Promise.all(exports);
      const outcomes = await Promise.all(acts);
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect(
        outcomes.filter((outcome) => outcome === 'This item changed; reload and try again.'),
      ).toHaveLength(1);
    }
    expect(await exported()).toMatchObject({ intact: true, faults: [] });
    expect(await kinds()).toHaveLength(1 + 6 + 12 + 1);
  });

  describe('checks what the caller may do', () => {
    it('hides an item they may not see, and refuses one they may see only', async () => {
      await expect(exported('item-1', { caller: may() })).rejects.toMatchObject({ status: 404 });
      await expect(exported('item-1', { caller: may('work:read') })).rejects.toMatchObject({ status: 403 });
      await expect(exported('none')).rejects.toMatchObject({ status: 404 });
      expect(await kinds()).toEqual(['created']);
    });

    it('leaves out the document that they may not open, and names that', async () => {
      const found = await exported('item-1', { caller: may('work:read', 'work:export') });
      expect(found).toMatchObject({ intact: true });
      expect(found.missing[0]).toMatchObject({ part: 'original.pdf', reason: 'not_allowed' });
      expect(found.bytes.includes(ORIGINAL)).toBe(false);
      expect(opened).toEqual([]);
      expect((await listHistory(store.db.read, 'item-1')).at(-1)?.text).toContain('without the document');
    });

    it('anew after the document was read, so that what was lost meanwhile counts', async () => {
      const reader = may('work:read', 'work:export');
      const found = await exported('item-1', { currentCaller: async () => reader });
      expect(found.missing[0]).toMatchObject({ reason: 'not_allowed' });
      expect(found.bytes.includes(ORIGINAL)).toBe(false);
      await expect(exported('item-1', { currentCaller: async () => may('work:read') })).rejects.toMatchObject(
        {
          status: 403,
        },
      );
      expect(await kinds()).toEqual(['created', 'exported']);
    });
  });

  describe('finds what was altered in the store', () => {
    const faultsOf = async () => (await exported()).faults;

    it('in a row of the history', async () => {
      await act(parts, EVE, { id: 'item-1', version: 1 }, { kind: 'done', note: 'Filed.' });
      await whole().updateTable('work_history').set({ text: 'Nobody.' }).where('position', '=', 1).execute();
      expect(await faultsOf()).toContain('Entry 1 of the history of work item item-1 was altered or moved.');
    });

    it('when the end of the history is cut off', async () => {
      await act(parts, EVE, { id: 'item-1', version: 1 }, { kind: 'done', note: 'Filed.' });
      const [first] = await listHistory(store.db.read, 'item-1');
      await whole().deleteFrom('work_history').where('position', '=', 2).execute();
      const end = { history_count: 1, history_digest: first?.digest ?? '' };
      await whole().updateTable('work_item').set(end).execute();
      expect(await faultsOf()).toContain('Entry 2 of the history of work item item-1 is missing.');
    });

    it('when entries that are there are no longer counted', async () => {
      await act(parts, EVE, { id: 'item-1', version: 1 }, { kind: 'done', note: 'Filed.' });
      const [first] = await listHistory(store.db.read, 'item-1');
      const end = { history_count: 1, history_digest: first?.digest ?? '' };
      await whole().updateTable('work_item').set(end).execute();
      expect(await faultsOf()).toContain('Entry 2 of the history of work item item-1 was altered or moved.');
    });

    it('in the work item', async () => {
      await whole().updateTable('work_item').set({ pages: 9 }).execute();
      expect(await faultsOf()).toContain('Work item item-1 was altered: it does not match its history.');
    });

    it('in the received fax', async () => {
      await whole()
        .updateTable('inbound_fax')
        .set({ sha256: '1'.repeat(64) })
        .execute();
      expect(await faultsOf()).toEqual([
        'The received fax refers to a different document than its work item.',
      ]);
    });

    it('in the document, which is left out then', async () => {
      const [each = ''] = stored.keys();
      stored.set(each, Buffer.from(ORIGINAL.toString().replace('original', 'Original')));
      const found = await exported();
      expect(found.faults).toEqual(['The stored document is not the one that was received: it was altered.']);
      expect(found.manifest?.document.file).toBeNull();
    });
  });

  it('names a document that is gone, and one that was deleted under the retention setting', async () => {
    stored.clear();
    expect((await exported()).missing[0]).toMatchObject({ part: 'original.pdf', reason: 'gone' });
    await whole().updateTable('inbound_fax').set({ document: null }).execute();
    expect(await exported()).toMatchObject({ intact: true, missing: [{ reason: 'expired' }] });
  });

  it('breaks off when the document is altered between its comparison and its sending', async () => {
    const download = await exportEvidence(
      parts,
      { caller: EVE, currentCaller: async () => EVE, isEmpty: false },
      'item-1',
    );
    const [each = ''] = stored.keys();
    stored.set(each, Buffer.from(ORIGINAL.toString().replace('original', 'Original')));
    await expect(buffer(download.stream)).rejects.toThrow('the document changed while it was exported');
  });

  it('reads the document only as fast as it is sent', async () => {
    const pieces = Array.from({ length: 100 }, (_, index) => Buffer.alloc(64 * 1024, index));
    let read = 0;
    parts.inbound.openStored = async () => {
      read = 0;
      const stream = Readable.from(
        (function* () {
          for (const piece of pieces) {
            read += 1;
            yield piece;
          }
        })(),
      );
      return { stream, sizeBytes: 0 };
    };
    await whole()
      .updateTable('work_item')
      .set({ sha256: sha256Hex(Buffer.concat(pieces)) })
      .execute();
    const request = { caller: EVE, currentCaller: async () => EVE, isEmpty: false };
    const { stream, sizeBytes } = await exportEvidence(parts, request, 'item-1');
    expect(sizeBytes).toBeGreaterThan(100 * 64 * 1024);
    expect(read).toBe(100);
    const chunks = stream[Symbol.asyncIterator]();
    for (let chunk = 1; chunk <= 20; chunk += 1) await chunks.next();
    await setImmediate();
    expect(read).toBeLessThan(40);
    stream.destroy();
  });

  it('records nothing for a request without an answer, nor while nothing can be signed', async () => {
    const request = { caller: EVE, currentCaller: async () => EVE };
    (await exportEvidence(parts, { ...request, isEmpty: true }, 'item-1')).stream.destroy();
    const locked = createSeal(new Uint8Array(32).fill(9), 'The data key is not the one.');
    const signing = createSigningService({ db: store.db, seal: locked, clock });
    const refused = exportEvidence({ ...parts, signing }, { ...request, isEmpty: false }, 'item-1');
    await expect(refused).rejects.toMatchObject({ refusalCode: 'other_data_key' });
    expect(await kinds()).toEqual(['created']);
    expect(opened).toEqual([]);
  });
});
