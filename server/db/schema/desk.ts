import type { TourState, TourStep } from '../../../shared/desk-tour.ts';

/** A draft that a person saved for later. */
export interface DeskDraftTable {
  person_id: string;
  /** Unique for the person, who chose it. */
  id: string;
  /** Sealed. */
  name: string;
  /** Sealed text of the console. */
  content: string;
  template: number;
  saved_at: string;
}

export interface DeskDraftFileTable {
  /** Name in the storage. */
  artifact: string;
  person_id: string;
  draft_id: string;
  /** Place among the documents, from 1. */
  number: number;
  sha256: string;
  size_bytes: number;
}

export interface DeskPhraseTable {
  id: string;
  person_id: string;
  /** Sealed JSON of title and text. */
  words: string;
  created_at: string;
}

/** A signature or stamp of a person. */
export interface DeskSignatureTable {
  id: string;
  person_id: string;
  /** Sealed JSON of kind, name, width and height. */
  facts: string;
  /** Sealed PNG as base64. */
  picture: string;
  added_at: string;
}

/** Values that new faxes of a person begin with. */
export interface DeskDefaultsTable {
  person_id: string;
  /** Sealed JSON. */
  choices: string;
  version: number;
  updated_at: string;
}

/** Place of a person in the tour of the console. */
export interface DeskTourTable {
  person_id: string;
  state: Exclude<TourState, 'none'>;
  /** Null unless it is begun. */
  step: TourStep | null;
  updated_at: string;
}

export interface DeskTables {
  desk_draft: DeskDraftTable;
  desk_draft_file: DeskDraftFileTable;
  desk_phrase: DeskPhraseTable;
  desk_defaults: DeskDefaultsTable;
  desk_signature: DeskSignatureTable;
  desk_tour: DeskTourTable;
}
