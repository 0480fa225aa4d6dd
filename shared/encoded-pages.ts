/** Choices of a contact: ordinary pages, or pages that carry the document itself, in clear or encrypted. */
export const ENCODED_PAGES = ['off', 'plain', 'encrypted'] as const;
export type EncodedPages = (typeof ENCODED_PAGES)[number];

/** Forms of the pages of one fax: as the contact says, ordinary ones, or encoded ones however long they take. */
export const PAGE_FORMS = ['automatic', 'ordinary', 'encoded'] as const;
export type PageForm = (typeof PAGE_FORMS)[number];

/** Maximum number of encoded pages of a fax, about 80 minutes at 14,400 bit/s. */
export const MAX_ENCODED_PAGES = 60;

/** Encoded pages that take longer than ordinary ones by this factor are sent only where a person asks for them. */
export const MAX_ENCODED_DELAY = 3;
