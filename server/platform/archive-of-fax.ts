/** The archive with which a fax was removed. */
export interface ArchiveOfFax {
  readonly year: number;
  /** Null for that of the whole year. */
  readonly month: number | null;
}

/** Returns a sentence for a person who may know that there was such a fax. */
export const archivedSentence = ({ year, month }: ArchiveOfFax): string =>
  `This fax was removed after it was archived. It is in the archive of ${month === null ? year : `month ${month} of ${year}`}.`;
