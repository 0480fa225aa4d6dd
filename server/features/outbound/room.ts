import { join } from 'node:path';
import type { UnverifiedBodies } from '../../http/unverified-bodies.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Schedule } from '../../jobs/schedule.ts';
import type { EventBus } from '../../platform/events.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import type { Settings } from '../settings/service.ts';
import { type Acceptance, createAcceptance } from './accept/accept.ts';
import { createSending, type Sending } from './accept/sending.ts';
import { createSentDocuments, type SentDocuments } from './accept/sent-document.ts';
import { defineTryAgain } from './accept/try-again.ts';
import { type CallbackAddress, callbackServedRoutes } from './callback-routes.ts';
import { createSentArchiving } from './cleanup/archived-faxes.ts';
import { defineCleanup } from './cleanup/cleanup.ts';
import { createAttempts } from './dispatch/attempt.ts';
import { createCallCheck } from './dispatch/call-check.ts';
import { createCallDocuments } from './dispatch/call-document.ts';
import { createCallFacts } from './dispatch/call-facts.ts';
import { defineDispatch } from './dispatch/dispatch.ts';
import { createPendingSteps } from './dispatch/pending-steps.ts';
import { createCallSender } from './dispatch/send-call.ts';
import { createSubmitter } from './dispatch/submit.ts';
import { createTiming, defineDeadline, defineWait } from './dispatch/timing.ts';
import { createNumberMemory } from './list/numbers.ts';
import { traceFax } from './list/trace-fax.ts';
import { defineAskAgain } from './outcome/ask-again.ts';
import { createCallbacks } from './outcome/callbacks.ts';
import { createCommands } from './outcome/commands.ts';
import { defineMissedCallbacks } from './outcome/missed-callbacks.ts';
import { definePoll } from './outcome/poll.ts';
import { defineCostPoll } from './outcome/poll-cost.ts';
import { createPoller } from './outcome/poller.ts';
import { createReportRecorder } from './outcome/report.ts';
import type { FaxEvents, OutboundParts } from './parts.ts';
import { createPreviews, type Previews } from './preview/preview.ts';
import { createProgress } from './progress.ts';
import { createTransmissionReports, type ReportSigner } from './proof/transmission-report.ts';
import { createLines } from './queue/lines.ts';
import { createCallSettler } from './record/calls.ts';
import { createAttemptCosts } from './record/costs.ts';
import { createFaxNotifier } from './record/events.ts';
import { createRecorder } from './record/record.ts';
import { createSendingQueue } from './record/sending-queue.ts';
import { createStepNames } from './record/step-names.ts';
import { createUnusableKeyHandler } from './record/unusable-key.ts';
import { outboundServedRoutes } from './routes.ts';
import type { OutboundService } from './service.ts';
import { createAcceptanceService } from './services/acceptance.ts';
import { createBroadcastFaxService } from './services/broadcast-faxes.ts';
import { createDecisionService } from './services/decisions.ts';
import { createDocumentService } from './services/documents.ts';
import { ageFigures } from './services/figures.ts';
import { createFaxFinder } from './services/find-fax.ts';
import { createNumberService } from './services/numbers.ts';
import { createPacketService } from './services/packets.ts';
import { createReadingService } from './services/reading.ts';
import { createUpkeepService } from './services/upkeep.ts';
import { createWarningService } from './services/warnings.ts';
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
  readonly signer: ReportSigner;
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
  const recorder = createRecorder({
    clock: given.clock,
    names: createStepNames(given),
    calls: createCallSettler({ ...given, lines }),
    costs: createAttemptCosts(given),
    spending: given.spending,
    queue: createSendingQueue({ ...given, lines }),
    notifier,
    states: given.states,
    answers: given.answers,
  });
  const reports = createReportRecorder({ ...given, notifier, recorder });
  const poller = createPoller({ ...given, notifier, recorder, reports });
  const attempts = createAttempts({ ...given, lines, recorder });
  const callFacts = createCallFacts({ ...given, recorder });
  const submitter = createSubmitter({ ...given, callDocuments: createCallDocuments(given), callFacts });
  const timing = createTiming({ ...given, recorder });
  const callCheck = createCallCheck(given);
  const callSender = createCallSender({ ...given, callCheck, callFacts, submitter, timing });
  const pendingSteps = createPendingSteps({ ...given, recorder });
  const commands = createCommands({ ...given, recorder, reports, poller });
  return {
    ...given,
    notifier,
    lines,
    recorder,
    reports,
    poller,
    attempts,
    callSender,
    timing,
    pendingSteps,
    commands,
  };
}

/** The room of sent faxes. */
export function createOutbound(parts: OutboundRoomParts): OutboundRoom {
  const { events, settings, dataFolder, logger, callbacks, unverifiedBodies } = parts;
  const common = createSharedParts({
    ...parts,
    logger: logger.room('outbound'),
    settings: outboundSettings(settings),
    progress: createProgress(),
    workDirectory: join(dataFolder, 'work'),
  });
  const shared = { ...common, signer: parts.signer };
  const previews = createPreviews(shared);
  const acceptance = createAcceptance(shared);
  const sentDocuments = createSentDocuments(shared);
  const sending = createSending({ ...shared, previews, acceptance, sentDocuments });
  const cleanup = defineCleanup(shared);
  const missedCallbacks = defineMissedCallbacks(shared);
  const own = { acceptance, sentDocuments, sending, previews, cleanup, missedCallbacks };
  const service = createService(shared, own);
  const room = defineRoom({
    name: 'outbound',
    served: [...outboundServedRoutes(service), ...callbackServedRoutes(service, callbacks, unverifiedBodies)],
    jobs: [
      defineDispatch(shared),
      defineWait(shared),
      defineDeadline(shared),
      defineAskAgain(shared),
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
    figures: () => ageFigures(parts),
    traceOf: (id) => traceFax(parts.db.read, id),
  });
  const failedBetween = (since: string, until: string) => countFailed(parts.db.read, since, until);
  const outcomesOf = (ids: readonly string[]) => sentOutcomes(parts.db.read, ids);
  return { ...room, service, failedBetween, outcomesOf };
}

type SharedParts = ReturnType<typeof createSharedParts> & Pick<OutboundRoomParts, 'signer'>;

/** Creates the service of the room from its parts by subject. */
function createService(
  shared: SharedParts,
  own: {
    readonly acceptance: Acceptance;
    readonly sentDocuments: SentDocuments;
    readonly sending: Sending;
    readonly previews: Previews;
    readonly cleanup: Schedule;
    readonly missedCallbacks: Schedule;
  },
): OutboundService {
  const finder = createFaxFinder(shared);
  const unusableKeyHandler = createUnusableKeyHandler(shared);
  const transmissionReports = createTransmissionReports(shared);
  return {
    ...createAcceptanceService({ ...shared, finder, sending: own.sending }),
    ...createReadingService({ ...shared, finder }),
    ...createNumberService({ ...shared, previews: own.previews }),
    ...createPacketService({ ...shared, ...own, finder }),
    ...createBroadcastFaxService({ ...shared, ...own }),
    ...createDecisionService({ ...shared, finder }),
    ...createDocumentService({ ...shared, finder, transmissionReports }),
    ...createWarningService(shared),
    ...createUpkeepService({ ...own, workDirectory: shared.workDirectory, unusableKeyHandler }),
    previews: own.previews,
    callbacks: createCallbacks(shared),
    numberMemory: createNumberMemory(shared),
    archiving: createSentArchiving(shared),
  };
}

function changeOf({ id, version, ...fax }: FaxEvents['fax.changed']): Change {
  const data = { id, delivery_version: version, ...(fax.test === 1 ? { test: true as const } : {}) };
  return {
    id,
    version,
    event: { kind: 'fax.changed', data, mayReceive: (caller) => maySeeSent(caller, fax) },
  };
}
