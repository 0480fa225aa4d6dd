import { join } from 'node:path';
import type { UnverifiedBodies } from '../../http/unverified-bodies.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { EventBus } from '../../platform/events.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import type { Settings } from '../settings/service.ts';
import { createAcceptance } from './accept/accept.ts';
import { createSending } from './accept/sending.ts';
import { createSentDocuments } from './accept/sent-document.ts';
import { defineTryAgain } from './accept/try-again.ts';
import { type CallbackAddress, callbackServedRoutes } from './callback-routes.ts';
import { defineCleanup } from './cleanup/cleanup.ts';
import { createAttempts } from './dispatch/attempt.ts';
import { defineDispatch } from './dispatch/dispatch.ts';
import { createSubmitter } from './dispatch/submit.ts';
import { createNumberMemory } from './list/numbers.ts';
import { createCallbacks } from './outcome/callbacks.ts';
import { createCommands } from './outcome/commands.ts';
import { defineMissedCallbacks } from './outcome/missed-callbacks.ts';
import { definePoll } from './outcome/poll.ts';
import { defineCostPoll } from './outcome/poll-cost.ts';
import { createPoller } from './outcome/poller.ts';
import { createReportRecorder } from './outcome/report.ts';
import type { FaxEvents, OutboundParts } from './parts.ts';
import { createPreviews } from './preview/preview.ts';
import { createProgress } from './progress.ts';
import { createLines } from './queue/lines.ts';
import { defineWait } from './queue/send-later.ts';
import { createFaxNotifier } from './record/events.ts';
import { createRecorder } from './record/record.ts';
import { createUnusableKeyHandler } from './record/unusable-key.ts';
import { outboundServedRoutes } from './routes.ts';
import { createOutboundService, type OutboundService } from './service.ts';
import { OUTBOUND_SETTINGS, outboundSettings } from './settings.ts';
import { countFailed, sentOutcomes } from './store/outcome-store.ts';
import type { SentOutcome } from './types.ts';
import { maySeeSent } from './visibility.ts';

export type { CallbackAddress } from './callback-routes.ts';
export { settleRestored } from './cleanup/restored.ts';
export type { FaxEvents } from './parts.ts';
export { SENT_DOCUMENTS } from './stored-documents.ts';

interface OutboundRoomParts extends Omit<OutboundParts, 'settings' | 'workDirectory' | 'progress'> {
  readonly settings: Settings;
  readonly dataFolder: string;
  readonly events: EventBus<FaxEvents>;
  /** Addresses where providers report the outcome. */
  readonly callbacks: readonly CallbackAddress[];
  readonly unverifiedBodies: UnverifiedBodies;
}

export interface OutboundRoom extends Room {
  readonly service: OutboundService;
  /**
   * Counts the faxes that failed from `since` until before `until`, ISO 8601 UTC, without those tried again
   * automatically.
   */
  failedBetween(since: string, until: string): Promise<number>;
  /** Returns the outcome of each fax by ID; that of the newest one where the number was tried again. */
  outcomesOf(ids: readonly string[]): Promise<ReadonlyMap<string, SentOutcome>>;
}

/** Creates the parts that files of the room share, each with those below it. */
export function createSharedParts(given: OutboundParts & { readonly events: EventBus<FaxEvents> }) {
  const notifier = createFaxNotifier(given);
  const lines = createLines(given);
  const recorder = createRecorder({ ...given, lines, notifier });
  const reports = createReportRecorder({ ...given, notifier, recorder });
  const poller = createPoller({ ...given, notifier, recorder, reports });
  const attempts = createAttempts({ ...given, lines, recorder });
  const submitter = createSubmitter({ ...given, recorder });
  const commands = createCommands({ ...given, recorder, reports, poller });
  return { ...given, notifier, lines, recorder, reports, poller, attempts, submitter, commands };
}

/** The room of sent faxes. */
export function createOutbound(parts: OutboundRoomParts): OutboundRoom {
  const { events, settings, dataFolder, logger, callbacks, unverifiedBodies } = parts;
  const shared = createSharedParts({
    ...parts,
    logger: logger.room('outbound'),
    settings: outboundSettings(settings),
    progress: createProgress(),
    workDirectory: join(dataFolder, 'work'),
  });
  const previews = createPreviews(shared);
  const acceptance = createAcceptance(shared);
  const sentDocuments = createSentDocuments(shared);
  const sending = createSending({ ...shared, previews, acceptance, sentDocuments });
  const cleanup = defineCleanup(shared);
  const missedCallbacks = defineMissedCallbacks(shared);
  const service = createOutboundService(shared, {
    sending,
    previews,
    callbacks: createCallbacks(shared),
    commands: shared.commands,
    numberMemory: createNumberMemory(shared),
    unusableKeyHandler: createUnusableKeyHandler(shared),
    cleanup,
    missedCallbacks,
  });
  const room = defineRoom({
    name: 'outbound',
    served: [...outboundServedRoutes(service), ...callbackServedRoutes(service, callbacks, unverifiedBodies)],
    jobs: [
      defineDispatch(shared),
      defineWait(shared),
      definePoll(shared),
      defineCostPoll(shared),
      defineTryAgain(shared, sending),
      missedCallbacks.definition,
      cleanup.definition,
    ] as unknown as JobDefinition<never>[],
    events: [
      {
        kind: 'fax.changed',
        listen: (listener) => events.on('fax.changed', (fax) => listener(changeOf(fax))),
        changedSince: async (historyId, limit) =>
          (await service.changedSince(historyId, limit)).map(changeOf),
      },
    ],
    settings: { names: OUTBOUND_SETTINGS, changed: () => service.planCleanup() },
    start: () => service.start(),
    stop: () => service.stop(),
    catchUp: () => service.catchUp(),
    warnings: () => service.warnings(),
  });
  const failedBetween = (since: string, until: string) => countFailed(parts.db.read, since, until);
  const outcomesOf = (ids: readonly string[]) => sentOutcomes(parts.db.read, ids);
  return { ...room, service, failedBetween, outcomesOf };
}

function changeOf({ id, version, created_by, mailbox_id }: FaxEvents['fax.changed']): Change {
  const fax = { created_by, mailbox_id };
  const data = { id, delivery_version: version };
  return {
    id,
    version,
    event: { kind: 'fax.changed', data, mayReceive: (caller) => maySeeSent(caller, fax) },
  };
}
