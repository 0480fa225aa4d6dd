import { join } from 'node:path';
import { EVENT_PERMISSIONS } from '../../../shared/api/console-events.ts';
import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import type { UnverifiedBodies } from '../../http/unverified-bodies.ts';
import type { DocumentNames } from '../access/port.ts';
import type { Caller } from '../access/service.ts';
import { announcedEvents, type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { NotificationAddress } from './notification-routes.ts';
import type { InboundEvents, InboundParts } from './parts.ts';
import type { DocumentSource, FiledHandler, SentAnswers, WorkItems } from './port.ts';
import { createDocumentNames } from './reading/document-names.ts';
import { traceReceived } from './reading/trace-fax.ts';
import { createReceivingWatch } from './receiving-watch.ts';
import { inboundServedRoutes } from './routes.ts';
import { createInboundService, type InboundService } from './service.ts';
import { INBOUND_SETTINGS, inboundSettings } from './settings.ts';
import { createUnreadIndex } from './unread-index.ts';
import { mayReceiveFaxEvents } from './visibility.ts';

export type { NotificationAddress } from './notification-routes.ts';
export type { InboundEvents } from './parts.ts';
export { RECEIVED_DOCUMENTS } from './upkeep/stored-documents.ts';

interface InboundRoomParts
  extends Omit<
    InboundParts,
    | 'settings'
    | 'workDirectory'
    | 'watch'
    | 'unreadIndex'
    | 'sources'
    | 'filedHandlers'
    | 'workItems'
    | 'answers'
  > {
  readonly settings: SettingsService;
  /** Absolute. */
  readonly dataFolder: string;
  /** Addresses at which providers notify of received faxes. */
  readonly notifications: readonly NotificationAddress[];
  readonly unverifiedBodies: UnverifiedBodies;
  readonly minuteLimit: NewMinuteLimit;
}

export interface InboundRoom extends Room {
  readonly service: InboundService;
  /** Names of received faxes where roles are given on them. */
  readonly documentNames: DocumentNames;
  /** Adds a source of documents that do not come from a provider. For a higher room, before the start. */
  addSource(source: DocumentSource): void;
  /** Adds a handler for the transaction that files a document. For a higher room, before the start. */
  addFiledHandler(handler: FiledHandler): void;
  /** Connects the work queue. For a higher room, before the start. */
  connectWorkItems(items: WorkItems): void;
  /** Connects the sent faxes. Before the start. */
  connectAnswers(answers: SentAnswers): void;
}

/** The room of received faxes. */
export function createInbound(parts: InboundRoomParts): InboundRoom {
  const { events, settings, clock, db, dataFolder, logger } = parts;
  const sources = new Map<string, DocumentSource>();
  const filedHandlers: FiledHandler[] = [];
  let workItems: WorkItems = { idsOf: async () => new Map() };
  let answers: SentAnswers = { answersTo: async () => new Map() };
  const service = createInboundService({
    ...parts,
    logger: logger.room('inbound'),
    sources,
    filedHandlers,
    workItems: () => workItems,
    answers: () => answers,
    watch: createReceivingWatch(clock),
    unreadIndex: createUnreadIndex(clock, db.capabilities.soleProcess),
    settings: inboundSettings(settings),
    workDirectory: join(dataFolder, 'work'),
  });
  const room = defineRoom({
    name: 'inbound',
    served: inboundServedRoutes(service, parts),
    jobs: service.jobs,
    events: [
      {
        kind: 'inbound.changed',
        listen: (listener) => events.on('inbound.changed', (fax) => listener(changeOf(fax))),
        changedSince: async (evidenceId, limit) =>
          (await service.changedSince(evidenceId, limit)).map(changeOf),
      },
      announcedEvents(
        'senders.changed',
        (listener: (facts: null) => void) => events.on('senders.changed', () => listener(null)),
        sendersChange,
      ),
    ],
    settings: { names: INBOUND_SETTINGS, changed: () => service.plan() },
    start: () => service.plan(),
    warnings: () => service.warnings(),
    traceOf: (id) => traceReceived(parts.db.read, id),
  });
  return {
    ...room,
    service,
    documentNames: createDocumentNames(() => ({
      country: settings.get('FAX_DEFAULT_COUNTRY'),
      timeZone: settings.get('TIME_ZONE'),
    })),
    addSource: (source) => {
      if (sources.has(source.backend)) throw new Error(`${source.backend} has a source already`);
      sources.set(source.backend, source);
    },
    addFiledHandler: (handler) => void filedHandlers.push(handler),
    connectAnswers: (sent) => {
      answers = sent;
    },
    connectWorkItems: (items) => {
      workItems = items;
    },
  };
}

function sendersChange(): Change {
  const kind = 'senders.changed';
  const mayReceive = (caller: Caller) => caller.holds(EVENT_PERMISSIONS[kind]);
  return { id: kind, version: 0, event: { kind, data: {}, mayReceive } };
}

function changeOf({ version, ...fax }: InboundEvents['inbound.changed']): Change {
  const { id, test } = fax;
  const data = { id, version, ...(test === 1 ? { test: true as const } : {}) };
  const mayReceive = (caller: Caller) => mayReceiveFaxEvents(caller, fax);
  return { id, version, event: { kind: 'inbound.changed', data, mayReceive } };
}
