import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../server/adapters/storage/port.ts';
import type { OpenHold } from '../../server/features/holds/types.ts';
import type { InboundEvents, InboundSettings } from '../../server/features/inbound/parts.ts';
import { findFax } from '../../server/features/inbound/store/fax-store.ts';
import { defineRetention } from '../../server/features/inbound/upkeep/retention.ts';
import { defineCleanup } from '../../server/features/outbound/cleanup/cleanup.ts';
import type { OutboundSettings } from '../../server/features/outbound/parts.ts';
import { findJob } from '../../server/features/outbound/store/job-store.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { createEventBus } from '../../server/platform/events.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { DAY, ManualClock } from '../setup/manual-clock.ts';
import { faxRow } from '../setup/outbound-rows.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const NUMBER = '+12025550123';
const HOLD: OpenHold = {
  id: 'hold',
  name: 'Smith v. Harbor Clinic',
  faxIds: [],
  caseId: null,
  numbers: [NUMBER],
  mailboxId: null,
  since: null,
  until: null,
};

describe.each(STORES)('a legal hold that is placed while a cleanup runs, on %s', (name) => {
  const clock = new ManualClock();
  let store: TestStore;
  let removed: string[];
  beforeEach(async () => {
    store = await openStore(name);
    removed = [];
  });
  afterEach(() => store.close());

  /** The cleanup lists the faxes before the hold is placed, and removes them after. */
  function parts() {
    let reads = 0;
    return {
      db: store.db,
      clock,
      queue: createQueue(store.db, clock),
      seal: createSeal(new Uint8Array(32)),
      events: createEventBus<InboundEvents>(() => undefined),
      logger: createLogger({ level: 'fatal', write: () => undefined }),
      storage: { remove: async (document: string) => void removed.push(document) } as unknown as Storage,
      holds: {
        async open() {
          reads += 1;
          return reads === 1 ? [] : [HOLD];
        },
        shown: async () => [],
        lock: async () => undefined,
        keepMoved: async () => undefined,
      },
    };
  }
  const run = { attempt: 1, signal: new AbortController().signal };
  const old = new Date(clock.now() - 90 * DAY).toISOString();

  test('rule (holds): a legal hold that is placed while a cleanup runs keeps the documents that were listed before', async () => {
    const received = inboundRow({ from_number: NUMBER, document: 'inbound/a.pdf', received_at: old });
    const sent = faxRow({ to_number: NUMBER, delivery_state: 'success', artifact: 'a.pdf', updated_at: old });
    await store.db.transaction(async (tx) => {
      await tx.insertInto('inbound_fax').values(received).execute();
      await tx.insertInto('fax_job').values(sent).execute();
    });
    const inboundSettings = { retentionDays: () => 30, cleanupMinutes: () => 60 };
    const outboundSettings = { artifactDays: () => 30, cleanupMinutes: () => 60 };
    const retention = defineRetention({ ...parts(), settings: inboundSettings as InboundSettings });
    await retention.definition.run({}, run);
    const cleanup = defineCleanup({ ...parts(), settings: outboundSettings as OutboundSettings });
    await cleanup.definition.run({}, run);
    expect(removed).toEqual([]);
    expect(await findFax(store.db.read, received.id)).toMatchObject({ document: 'inbound/a.pdf' });
    expect(await findJob(store.db.read, sent.id)).toMatchObject({ artifact: 'a.pdf' });
  });
});
