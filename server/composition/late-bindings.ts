import type { ProviderTools } from '../adapters/providers/provider-port.ts';
import type { Documents } from '../documents/documents.ts';
import type { DocumentNames } from '../features/access/port.ts';
import type { FindAuditedFaxes } from '../features/audit/room.ts';
import type { KeyListener, NumberMemory, ReceivedMemory } from '../features/contacts/port.ts';
import type { ContactsService } from '../features/contacts/service.ts';
import type { DirectRoom } from '../features/direct/room.ts';
import type { HeldFaxes } from '../features/holds/port.ts';
import type { InboundRoom } from '../features/inbound/room.ts';
import type { IntakeRoom } from '../features/intake/room.ts';
import type {
  AnswerListener,
  BroadcastListener,
  CallLog,
  DirectDelivery,
  PrintedDocuments,
  ReceivedFaxes,
  StateListener,
  Transports,
} from '../features/outbound/port.ts';
import type { OutboundRoom } from '../features/outbound/room.ts';
import type { PrintRulesRoom } from '../features/print-rules/room.ts';
import type { Room } from '../features/room.ts';
import type { FindContacts, PlanSteps } from '../features/routing/port.ts';
import type { TelephonyRoom } from '../features/telephony/room.ts';
import type { WebhookEvents, WebhooksRoom } from '../features/webhooks/room.ts';
import type { WorkRoom } from '../features/work/room.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { findAuditedFaxes } from './audited-faxes.ts';
import { createHeldFaxes } from './held-faxes.ts';
import { planForQuote } from './transports.ts';

/** A value that is set once, after the parts that use it were created. */
interface Late<T> {
  /** Throws while the value is not set. */
  get(): T;
  /** Null while the value is not set. */
  peek(): T | null;
  set(value: T): void;
}

export function createLate<T>(): Late<T> {
  let present: { readonly value: T } | null = null;
  return {
    get() {
      if (present === null) throw new Error('a part of the gateway was used before all of them were created');
      return present.value;
    },
    peek: () => present?.value ?? null,
    set(value) {
      present = { value };
    },
  };
}

/** Services of higher rooms that lower rooms use. Lower rooms are created first and get them from a `Late`. */
export interface HigherRooms {
  /** For providers, which draw faxes and report on them. */
  readonly documents: Documents;
  readonly callbacks: OutboundRoom['service']['callbacks'];
  readonly logger: Logger;
  /** For access, where roles are given on documents. */
  readonly documentNames: DocumentNames;
  /** For the security audit, which names the faxes of its entries. */
  readonly auditedFaxes: FindAuditedFaxes;
  /** For quotes and costs. */
  readonly planSteps: PlanSteps;
  readonly contactsOf: FindContacts;
  /** For contacts: outcomes of the faxes to a number. */
  readonly numberMemory: NumberMemory;
  /** For contacts: faxes from a number. */
  readonly receivedMemory: ReceivedMemory;
  /** For contacts: received pages that a new key may open. */
  readonly keyListener: KeyListener;
  /** For sent faxes: our own numbers, and the log of calls. */
  readonly internal: InboundRoom['service']['internal'];
  readonly received: ReceivedFaxes;
  readonly answers: AnswerListener;
  /** For sent faxes: documents that were printed. */
  readonly printed: PrintedDocuments;
  /** For sent faxes: the installations of partners. */
  readonly direct: DirectDelivery;
  readonly callLog: CallLog;
  /** For sent faxes and the work queue: events for webhooks. */
  readonly recordedEvents: WebhookEvents;
  /** For sent faxes: the recipients of broadcasts. */
  readonly recipients: BroadcastListener & StateListener;
  /** For legal holds. */
  readonly heldFaxes: HeldFaxes;
  /** For the console: whose events it sends and whose warnings it shows. */
  readonly rooms: readonly Room[];
}

/** Received faxes for the room of sent faxes, and the listener for answers to them: both come with higher rooms. */
export function lateAnswering(higher: () => Pick<HigherRooms, 'received' | 'answers'>): {
  readonly received: ReceivedFaxes;
  readonly answers: AnswerListener;
} {
  return {
    received: {
      lastAbout: (caller, number) => higher().received.lastAbout(caller, number),
      assertReadable: (caller, id) => higher().received.assertReadable(caller, id),
      readableAmong: (caller, ids) => higher().received.readableAmong(caller, ids),
    },
    answers: {
      accepted: (tx, answer) => higher().answers.accepted(tx, answer),
      ended: (tx, answer) => higher().answers.ended(tx, answer),
    },
  };
}

/** Faxes to and from a number for the room of contacts, and the listener for keys: all come with higher rooms. */
export function lateMemories(
  higher: () => Pick<HigherRooms, 'numberMemory' | 'receivedMemory' | 'keyListener'>,
) {
  return {
    memory: () => higher().numberMemory,
    received: () => higher().receivedMemory,
    keyListener: () => higher().keyListener,
  };
}

/**
 * Connects all that calls upward, in one place. Runs after every room was created and before any is started: a part
 * that is used earlier throws.
 */
export function connectRooms(
  higher: Late<HigherRooms>,
  parts: {
    readonly documents: Documents;
    readonly transports: Transports;
    readonly logger: Logger;
    readonly contacts: { readonly service: ContactsService };
    readonly outbound: OutboundRoom;
    readonly inbound: InboundRoom;
    readonly intake: IntakeRoom;
    readonly printRules: PrintRulesRoom;
    readonly work: WorkRoom;
    readonly telephony: TelephonyRoom;
    readonly webhooks: WebhooksRoom;
    readonly direct: DirectRoom;
    readonly broadcasts: { readonly watch: HigherRooms['recipients'] };
    readonly printing: { readonly service: PrintedDocuments };
    readonly rooms: readonly Room[];
  },
): void {
  const { contacts, outbound, inbound, intake, work, telephony, webhooks } = parts;
  higher.set({
    documents: parts.documents,
    callbacks: outbound.service.callbacks,
    logger: parts.logger.room('outbound'),
    documentNames: inbound.documentNames,
    auditedFaxes: findAuditedFaxes(outbound.service, inbound.service),
    planSteps: planForQuote(parts.transports, contacts.service),
    contactsOf: contacts.service.namesOf,
    numberMemory: outbound.service.numberMemory,
    receivedMemory: inbound.service.receivedMemory,
    keyListener: inbound.service.keyListener,
    internal: inbound.service.internal,
    received: inbound.service.received,
    answers: work.answers,
    printed: parts.printing.service,
    direct: parts.direct.service.delivery,
    callLog: telephony.callLog,
    recordedEvents: webhooks.recorded,
    recipients: parts.broadcasts.watch,
    heldFaxes: createHeldFaxes(outbound.service, inbound.service),
    rooms: parts.rooms,
  });
  inbound.addFiledHandler(intake.items);
  inbound.addFiledHandler(parts.printRules.printouts);
  inbound.addFiledHandler(work.items);
  inbound.addFiledHandler(webhooks.recorded.receivedFaxes);
  inbound.connectWorkItems(work.items);
  inbound.connectAnswers(outbound.service);
  inbound.addSource(telephony.source);
}

/** Returns the listeners of higher rooms for sent faxes. */
export function listenersOf(higher: Pick<Late<HigherRooms>, 'get'>): {
  readonly broadcasts: BroadcastListener;
  readonly states: StateListener;
  readonly printed: PrintedDocuments;
} {
  return {
    printed: { sent: (tx, caller, fax) => higher.get().printed.sent(tx, caller, fax) },
    broadcasts: { replaced: (tx, fax) => higher.get().recipients.replaced(tx, fax) },
    states: {
      async changed(tx, fax) {
        await higher.get().recordedEvents.sentFaxes.changed(tx, fax);
        await higher.get().recipients.changed(tx, fax);
      },
    },
  };
}

/** Returns the dependencies of providers, which are created before any room. */
export function createProviderTools(
  given: { readonly clock: Clock; readonly dataFolder: string },
  higher: Late<HigherRooms>,
): ProviderTools {
  return {
    ...given,
    drawFax: async (pdf, outputPath, options) =>
      await higher.get().documents.rasterToTiff(pdf, outputPath, options),
    onProviderEvent(attemptId) {
      const rooms = higher.peek();
      rooms?.callbacks.onProviderSignal(attemptId).catch((error: unknown) => {
        rooms.logger.error({ error }, 'the status of a fax could not be queried');
      });
    },
    async listPending(attemptIds) {
      const rooms = higher.peek();
      if (rooms === null) return null;
      return await rooms.callbacks.filterPending(attemptIds).catch((error: unknown) => {
        rooms.logger.error({ error }, 'pending outcomes could not be read');
        return null;
      });
    },
  };
}
