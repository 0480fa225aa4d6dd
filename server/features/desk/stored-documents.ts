import type { DocumentOwner } from '../storage/port.ts';
import { hasDraftFile, keptDraftFiles } from './store.ts';

/** Prefix of the names of the documents of saved drafts. */
export const DRAFT_PREFIX = 'draft/';

/** The documents of saved drafts. */
export const DRAFT_DOCUMENTS: DocumentOwner = {
  prefix: DRAFT_PREFIX,
  findKept: keptDraftFiles,
  hasAny: hasDraftFile,
};
