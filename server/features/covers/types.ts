import type { CoverDesign } from '../../../shared/covers.ts';
import type { CoverTable } from '../../db/schema/covers.ts';

export type CoverRow = CoverTable;

/** A cover page as it is used: built in or stored. */
export interface Template extends CoverDesign {
  readonly id: string;
  readonly name: string;
  readonly logo: Uint8Array | null;
  /** Null for a page that is drawn from its parts. */
  readonly pdf: Uint8Array | null;
  readonly formFields: readonly string[];
  /** Null for a built-in one. */
  readonly stored: {
    readonly version: number;
    readonly createdAt: string;
    readonly updatedAt: string;
  } | null;
}

/** Values by field, as they were given with a fax. */
export type CoverFieldValues = Readonly<Record<string, string>>;

/** Cover page as it was asked for with a fax. */
export interface CoverRequest {
  /** Null for that of the contact or the mailbox. */
  readonly id: string | null;
  readonly fields: CoverFieldValues;
}

/** Facts of a fax that its cover page shows. */
export interface CoveredFax {
  /** E.164, or as typed while it is incomplete; empty for none yet. */
  readonly to: string;
  readonly mailboxId: string | null;
  /** Name of the recipient in place of that of the contact; left out for that. */
  readonly toName?: string | undefined;
  /** Pages of the fax without the cover page; null while they are not known. */
  readonly pages: number | null;
  readonly subject: string | null;
  readonly reference: string | null;
}

/** Values on the cover page of a fax, as the fax keeps them. */
interface PrintedCover {
  readonly id: string;
  readonly name: string;
  readonly fields: CoverFieldValues;
}

/** A composed cover page: one PDF of one page. */
export interface ComposedCover {
  readonly pdf: Uint8Array;
  readonly printed: PrintedCover;
}
