import type { directDeliveryRoutes } from '../../../../shared/api/direct-deliveries.ts';
import type { AnswerOf } from '../../../../shared/api/route.ts';
import { noSuchAddress } from '../errors.ts';
import type { DeliveryFilter } from '../store/delivery-store.ts';
import type { Signed } from '../wire/statement.ts';
import type { SignedAnswer } from './answer.ts';
import { answerStatus, type StatusRequest } from './answer-status.ts';
import { listDocuments } from './list-deliveries.ts';
import type { ReceivingParts } from './parts.ts';
import { type ArrivingUpload, receiveDocument } from './receive-document.ts';

/** Documents that are exchanged with partners. */
export interface Deliveries {
  /** Throws a 404 refusal while direct delivery is off. */
  assertOn(): void;
  maxDocumentBytes(): number;
  /** Takes a document from a partner. Throws 400 and 403 refusals for what nobody known sent. */
  receive(arriving: ArrivingUpload): Promise<SignedAnswer>;
  /** Answers whether a document arrived. Throws 403 refusals. */
  answerStatus(request: StatusRequest): Promise<Signed>;
  list(filter: DeliveryFilter): Promise<AnswerOf<typeof directDeliveryRoutes.listDeliveries>>;
}

export function createDeliveries(parts: ReceivingParts): Deliveries {
  const { settings } = parts;
  return {
    assertOn() {
      if (!settings.enabled()) throw noSuchAddress();
    },
    maxDocumentBytes: () => parts.maxFileBytes(),
    receive: (arriving) => receiveDocument(parts, arriving),
    answerStatus: (request) => answerStatus(parts, request),
    list: (filter) => listDocuments(parts, filter),
  };
}
