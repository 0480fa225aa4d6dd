import { z } from 'zod';
import { FIXED_WORDS } from '../fixed-words.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id } from './values.ts';

/** Of the manifest, as UTF-8. */
export const MANIFEST_BYTES = 8 * 1024;

const Line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(VISIBLE_LINE, VISIBLE_RULE)
    .refine((text) => text.isWellFormed(), { error: VISIBLE_RULE });

/** Manifest of a document that another system hands over. */
export const ImportManifest = z
  .strictObject({
    source_system: Line(64).describe('name of the system that the document comes from'),
    operation_id: Line(100).describe('id of the document in that system'),
    revision: Line(100)
      .nullish()
      .describe('revision of a document that was imported before; each revision is a separate document'),
    source_received_at: AnyTime.nullish().describe(
      'time when the source system received it: RFC 3339 with an offset. Never set to the time of the import',
    ),
    to_number: z
      .string()
      .max(40)
      .nullish()
      .describe(
        'number it was sent to, which selects the mailbox. Also a national number of FAX_DEFAULT_COUNTRY',
      ),
    from_number: z.string().max(40).nullish().describe('number it was sent from'),
    pages: z
      .int()
      .min(0)
      .max(100_000)
      .nullish()
      .describe('page count from the source system; stored as evidence only'),
  })
  .meta({ id: 'ImportManifest' });

const IMPORT_STATUSES = FIXED_WORDS.importResult;

export const ImportResult = z
  .strictObject({
    import_id: Id,
    inbound_id: Id.describe('id of the received fax created from the document'),
    status: z
      .enum(IMPORT_STATUSES)
      .describe('`duplicate` if the same document was imported before; nothing was created'),
  })
  .meta({ id: 'ImportResult' });

export const importsRoutes = {
  importDocument: defineRoute({
    id: 'importDocument',
    room: 'imports',
    method: 'POST',
    path: '/imports',
    summary: 'Import a document that another system received',
    description: [
      'Files the PDF as a received fax. `manifest` is JSON text of at most 8 KB, with the fields of `ImportManifest`.',
      'The account of the caller, `operation_id` and `revision` identify an import. The same document again is a',
      '`duplicate`; a different document is refused and the first one is kept. You can safely repeat a request that got no response.',
      'Nothing is recorded until every page of the PDF has been loaded.',
      'Requires `work:import` on everything, or on the mailbox that `to_number` selects.',
    ].join(' '),
    access: 'work:import',
    anywhere: true,
    form: {
      fields: z.strictObject({
        manifest: z.string().optional().describe('JSON text with the fields of ImportManifest'),
      }),
      files: { file: { description: 'the PDF', required: false, repeated: false } },
      jsonFields: { manifest: ImportManifest },
      needs: ['file', 'manifest'],
    },
    answer: { status: 200, schema: ImportResult },
    refusals: ['manifest_unreadable', 'import_not_pdf', 'import_conflict', 'not_allowed'],
  }),
} as const;
