import { randomBytes } from 'node:crypto';
import type { Storage } from '../../server/adapters/storage/port.ts';
import type { Documents } from '../../server/documents/documents.ts';
import { NO_LIMITS } from '../../server/features/contacts/line-memory-port.ts';
import type { OutboundSettings } from '../../server/features/outbound/parts.ts';
import type { Transports } from '../../server/features/outbound/port.ts';
import { createProgress } from '../../server/features/outbound/progress.ts';
import { createSharedParts } from '../../server/features/outbound/room.ts';
import { createCostBook } from '../../server/features/routing/cost-book.ts';
import { createReportProblems } from '../../server/features/routing/room.ts';
import { createSpendingGate } from '../../server/features/routing/spending/gate.ts';
import type { SpendingSettings } from '../../server/features/routing/spending/limits.ts';
import type { Queue } from '../../server/jobs/queue.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { createEventBus } from '../../server/platform/events.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { NO_HOLDS } from './no-holds.ts';
import type { TestStore } from './stores.ts';

/** One data key, as gateways on one store have it. */
const seal = createSeal(randomBytes(32));

/** No limit is in force. */
const NO_SPENDING: SpendingSettings = {
  currency: () => null,
  perDay: () => null,
  perMonth: () => null,
  personPerDay: () => null,
  personPerMonth: () => null,
};

/** Only blocked numbers are refused. */
const NO_GUARD = {
  blocked: 'refuse',
  opted_out: 'off',
  voice_number: 'off',
  own_number: 'off',
  swapped_digits: 'off',
  near_contact: 'off',
  failing: 'off',
  same_document: 'off',
  first_time: 'off',
} as const;

/** The parts of the room of sent faxes. */
export type SharedParts = ReturnType<typeof createSharedParts>;

/** Creates the parts of the room of sent faxes, for tests without a gateway. */
export function outboundParts(given: {
  readonly store: TestStore;
  readonly storage: Storage;
  readonly folder: string;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly transports: Transports;
  readonly settings?: Partial<OutboundSettings>;
  readonly spending?: SpendingSettings;
  readonly db?: TestStore['db'];
  /** Left out where no document is prepared. */
  readonly documents?: Documents;
}): SharedParts {
  const { store, clock } = given;
  const db = given.db ?? store.db;
  return createSharedParts({
    db,
    queue: given.queue,
    clock,
    logger: createLogger({ level: 'fatal', write: () => undefined }),
    seal,
    storage: given.storage,
    // A fax whose document was prepared needs no more of them.
    documents: given.documents ?? (null as never),
    transports: given.transports,
    states: { changed: async () => undefined },
    received: {
      lastAbout: async () => null,
      assertReadable: async () => undefined,
      readableAmong: async () => new Map(),
    },
    holds: NO_HOLDS,
    desk: {
      headerNameOf: async () => null,
      signatures: { own: async () => [], recordPlaced: async () => undefined },
    },
    answers: { accepted: async () => undefined, ended: async () => undefined },
    printed: { sent: async () => undefined },
    broadcasts: { replaced: async () => undefined },
    progress: createProgress(),
    calls: { ended: async () => undefined },
    costs: createCostBook({ clock, timeZone: () => null }),
    spending: createSpendingGate({
      db,
      clock,
      timeZone: () => null,
      settings: given.spending ?? NO_SPENDING,
    }),
    settings: {
      automaticTries: () => 0,
      callsPerNumber: () => 1,
      sendingDisabled: () => false,
      country: () => 'US',
      organization: () => 'Example Clinic',
      ownNumber: () => '+12025550100',
      timeZone: () => null,
      publicUrl: () => null,
      linkMinutes: () => 60,
      maxFileBytes: () => 1_000_000,
      guard: () => NO_GUARD,
      artifactDays: () => 0,
      cleanupMinutes: () => 0,
      cheapHours: () => [],
      referenceLabel: () => 'Reference',
      configuration: () => ({ revisionId: 'r1', generation: 1 }),
      ...given.settings,
    },
    noteDocumentRead: async () => undefined,
    covers: {
      choose: async () => null,
      compose: async () => {
        throw new Error('no cover page');
      },
    },
    contacts: {
      nameOf: async () => null,
      isKnown: async () => false,
      voiceNamesOf: async () => new Map(),
      namesOf: async () => new Map(),
      findNumbers: async () => [],
      preferencesFor: async () => ({
        blocked: false,
        togetherMinutes: 0,
        preferredRoute: null,
        encodedPages: 'off',
        optedOut: false,
        coverId: null,
        acceptsReferences: false,
        allowedHours: null,
        timeZone: null,
      }),
      sharedKeyOf: async () => null,
      sharedKeyOfContact: async () => null,
      lineCalls: { limitsTo: async () => NO_LIMITS, recordCall: async () => undefined },
    },
    reportProblems: createReportProblems(db, clock),
    audit: { write: () => undefined } as never,
    events: createEventBus(() => undefined),
    workDirectory: given.folder,
  });
}
