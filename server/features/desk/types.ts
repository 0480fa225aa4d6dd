import type { Selectable } from 'kysely';
import type {
  DeskDefaultsTable,
  DeskDraftFileTable,
  DeskDraftTable,
  DeskPhraseTable,
} from '../../db/schema/desk.ts';

export type DraftRow = Selectable<DeskDraftTable>;
export type DraftFileRow = Selectable<DeskDraftFileTable>;
export type PhraseRow = Selectable<DeskPhraseTable>;
export type DefaultsRow = Selectable<DeskDefaultsTable>;

/** Draft of a person by the ID that the person's console chose. */
export type DraftKey = Pick<DraftRow, 'person_id' | 'id'>;
