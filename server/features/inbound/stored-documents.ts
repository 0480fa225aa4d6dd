import type { DocumentOwner } from '../storage/port.ts';
import { keptDocuments, namesDocument } from './store/fax-store.ts';

/** The stored documents of received faxes. */
export const RECEIVED_DOCUMENTS: DocumentOwner = {
  prefix: 'inbound/',
  findKept: keptDocuments,
  hasAny: namesDocument,
};
