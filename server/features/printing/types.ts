import type { PrintedDocumentTable, PrinterTable, PrintPasswordTable } from '../../db/schema/printing.ts';

export type PrintedDocumentRow = PrintedDocumentTable;
export type PrinterRow = PrinterTable;
export type PrintPasswordRow = PrintPasswordTable;

/** A printed document that changed, with the person whose document it is; null for no one. */
export interface ChangedDocument {
  readonly id: string;
  readonly version: number;
  readonly ownerId: string | null;
}
