import type { DocumentOwner } from '../storage/port.ts';
import { hasPrinted, keptPrinted } from './store.ts';

/** Prefix of the names of printed documents. */
export const PRINTED_PREFIX = 'printed/';

/** The documents that were printed to Faxdesk. */
export const PRINTED_DOCUMENTS: DocumentOwner = {
  prefix: PRINTED_PREFIX,
  findKept: keptPrinted,
  hasAny: hasPrinted,
};
