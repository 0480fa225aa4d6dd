import type { DocumentOwner } from '../../storage/port.ts';
import { keptDocuments, namesDocument } from '../store/fax-store.ts';

/** Stored documents of received faxes, for the room that keeps the storage tidy. */
export const RECEIVED_DOCUMENTS: DocumentOwner = {
  prefix: 'inbound/',
  findKept: keptDocuments,
  hasAny: namesDocument,
};
