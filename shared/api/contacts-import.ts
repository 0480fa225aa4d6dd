import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** Formats of an export. */
export const CONTACT_FORMATS = ['csv', 'vcard3', 'vcard4'] as const;
export type ContactFormat = (typeof CONTACT_FORMATS)[number];

export const ExportQuery = z.strictObject({
  format: z
    .enum(CONTACT_FORMATS)
    .default('csv')
    .describe('`csv` for spreadsheets; `vcard4` and `vcard3` for address books, also older ones'),
});

const Remark = z.strictObject({ line: z.int().min(1), sentence: z.string() });

const Change = z
  .strictObject({
    line: z.int().min(1).describe('line of the file'),
    kind: z.enum(['new', 'changed']),
    name: z.string(),
    fax_number: z.string().describe('E.164'),
    fields: z.array(z.string()).describe('names of the fields that change; empty for a new contact'),
  })
  .meta({ id: 'ContactImportChange' });

export const ContactImport = z
  .strictObject({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int().describe('number of entries that match an existing contact exactly'),
    merged: z.int().describe('number of entries merged into another one with the same number'),
    problems: z.array(Remark).describe('every skipped entry, by its line of the file, with the reason'),
    remarks: z
      .array(Remark)
      .describe('entries that were merged into another one, or of which a part was left out'),
    changes: z
      .array(Change)
      .describe(
        `new and changed contacts, at most ${LIMITS.contactChangesShown.toLocaleString('en-US')} of each`,
      ),
    left_out: z.int().describe('number of skipped entries'),
    checked_only: z.boolean().describe('true if nothing was changed'),
  })
  .meta({ id: 'ContactImport' });
