import type {
  DeskDefaultsTable,
  DeskDraftFileTable,
  DeskDraftTable,
  DeskPhraseTable,
  DeskSignatureTable,
  DeskTourTable,
} from '../../db/schema/desk.ts';

export type DraftRow = DeskDraftTable;
/** A draft without its content, which lists leave out. */
export type DraftSummaryRow = Omit<DraftRow, 'content'>;
export type DraftFileRow = DeskDraftFileTable;
export type PhraseRow = DeskPhraseTable;
export type SignatureRow = DeskSignatureTable;
/** A signature or stamp without its picture, which lists leave out. */
export type SignatureFactsRow = Omit<SignatureRow, 'picture'>;
export type DefaultsRow = DeskDefaultsTable;
export type TourRow = DeskTourTable;

/** Key of a draft: its person, and the ID that the person's console generated. */
export type DraftKey = Pick<DraftRow, 'person_id' | 'id'>;
