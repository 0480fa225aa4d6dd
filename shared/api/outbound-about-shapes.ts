import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { Id, Time } from './values.ts';

const line = (length: number) => z.string().trim().max(length).regex(VISIBLE_LINE, VISIBLE_RULE);
const { subject, reference, documentType } = LIMITS.about;
/** Starts empty on the page `/docs`, which would fill in a text such as "string". */
const STARTS_EMPTY = { examples: [''] };

/** Fields that show what a fax is about. */
export const aboutFields = {
  subject: z.string().nullable().describe('subject as people typed it; null if none was given'),
  reference: z
    .string()
    .nullable()
    .describe(
      'patient, case or order that it belongs to, as the office names it (`REFERENCE_LABEL`); null if none was given',
    ),
  document_type: z
    .string()
    .nullable()
    .describe('type of the document, such as one of `DOCUMENT_TYPES`; null if none was given'),
} as const;

/** The same fields of a form; an empty one counts as left out. */
export const aboutFormFields = {
  subject: line(subject).optional().describe('subject of the fax, one line').meta(STARTS_EMPTY),
  reference: line(reference)
    .optional()
    .describe('patient, case or order that it belongs to, one line')
    .meta(STARTS_EMPTY),
  document_type: line(documentType)
    .optional()
    .describe(
      'type of the document, one line; the types in `DOCUMENT_TYPES` are offered, others are possible',
    )
    .meta(STARTS_EMPTY),
} as const;

/** The same fields of a JSON body, where null clears one. */
export const aboutBodyFields = {
  subject: line(subject).nullable().optional().describe('null for none; unchanged if left out'),
  reference: line(reference).nullable().optional().describe('null for none; unchanged if left out'),
  document_type: line(documentType).nullable().optional().describe('null for none; unchanged if left out'),
} as const;

/** Proposal for what the next fax to a number is about. */
export const AboutProposal = z
  .strictObject({
    ...aboutFields,
    fax: z
      .strictObject({
        direction: z.enum(['sent', 'received']),
        id: Id,
        at: Time.describe('time when it was accepted or received'),
      })
      .nullable()
      .describe('fax with these values; null if there is none'),
  })
  .meta({ id: 'FaxAboutProposal' });

/** Change of what a fax is about. */
export const AboutChange = z
  .strictObject({
    ...aboutBodyFields,
    expected_about: z
      .strictObject(aboutFields)
      .partial()
      .optional()
      .describe(
        'values that were read before; if one of them has changed since, the change is refused with 409. Left out, the last change wins',
      ),
  })
  .meta({ id: 'FaxAboutChange' });
