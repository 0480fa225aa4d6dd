import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import { createDocuments } from '../../server/documents/documents.ts';
import { createSecurityAudit } from '../../server/features/audit/service.ts';
import { createInbound, type InboundRoom } from '../../server/features/inbound/room.ts';
import { createReportProblems } from '../../server/features/routing/room.ts';
import { createMinuteLimits } from '../../server/http/rate-limit.ts';
import { createUnverifiedBodies } from '../../server/http/unverified-bodies.ts';
import type { JobDefinition, JobResult } from '../../server/jobs/define-job.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { createEventBus } from '../../server/platform/events.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { NO_HOLDS } from './no-holds.ts';
import { CLOCK, type SettingsProcess, startSettings } from './settings-room.ts';

/** The room of received faxes on a real database, without providers and without a worker. */
export interface InboundProcess {
  readonly room: InboundRoom;
  readonly process: SettingsProcess;
  /** Runs the job that has the document of a fax fetched, once. */
  fetch(faxId: string): Promise<JobResult>;
  stop(): Promise<void>;
}

export async function startInbound(): Promise<InboundProcess> {
  const process = await startSettings({ environment: { INBOUND_ENABLED: 'true' } });
  const { database: db, settings, folder: dataFolder } = process;
  const folders = [join(dataFolder, 'work'), join(dataFolder, 'files')];
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const documents = createDocuments({ folders });
  const room = createInbound({
    db,
    settings,
    dataFolder,
    documents,
    clock: CLOCK,
    queue: createQueue(db, CLOCK),
    logger: createLogger({ level: 'fatal', write: () => undefined }),
    seal: createSeal(Buffer.alloc(32, 7)),
    storage: await createLocalStorage(join(dataFolder, 'files')),
    audit: createSecurityAudit({ clock: CLOCK }),
    noteDocumentRead: async () => undefined,
    contacts: {
      namesOf: async () => new Map(),
      nameOf: async () => null,
      isKnown: async () => false,
      sharedKeyOf: async () => null,
      sharedKeyOfContact: async () => null,
      findNumbers: async () => [],
    },
    events: createEventBus(() => undefined),
    holds: NO_HOLDS,
    receivers: {},
    notifications: [],
    unverifiedBodies: createUnverifiedBodies(CLOCK),
    minuteLimit: createMinuteLimits(CLOCK),
    reportProblems: createReportProblems(db, CLOCK),
  });
  const job = room.jobs.find(({ kind }) => kind === 'inbound.fetch') as unknown as JobDefinition<{
    fax_id: string;
  }>;
  return {
    room,
    process,
    fetch: (fax_id) => job.run({ fax_id }, { attempt: 1, signal: new AbortController().signal }),
    stop: async () => {
      await documents.close();
      await process.stop();
    },
  };
}
