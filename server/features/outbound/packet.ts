import type { JobRow } from './types.ts';

/** A document of a case packet. */
export interface PacketDocument {
  readonly title: string;
  /** Its own pages. */
  readonly pages: number;
  /** Number of its first own page in the fax, from 1; null for one that the index only names. */
  readonly first_page: number | null;
  /** SHA-256 of the PDF as it was handed over, lowercase hex. */
  readonly sha256: string;
  /** The fax that delivered it before, and when; null for one that is in this fax. */
  readonly named: { readonly fax_id: string; readonly sent_at: string } | null;
}

/** Returns the documents of a case packet; none for other faxes. */
export const packetOf = ({ packet }: Pick<JobRow, 'packet'>): readonly PacketDocument[] =>
  packet === null ? [] : (JSON.parse(packet) as readonly PacketDocument[]);
