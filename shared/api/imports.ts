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
    source_system: Line(64).describe('the system that the document comes from, as people know it'),
    operation_id: Line(100).describe('the id of the document in that system'),
    revision: Line(100)
      .nullish()
      .describe('of a new version of a document that was imported before; it is a document of its own'),
    source_received_at: AnyTime.nullish().describe(
      'when the system received it: RFC 3339 with an offset. Never filled with the time of the import',
    ),
    to_number: z
      .string()
      .max(40)
      .nullish()
      .describe('the number it was sent to; it chooses the mailbox. National numbers of FAX_DEFAULT_COUNTRY'),
    from_number: z.string().max(40).nullish().describe('the number it came from'),
    pages: z
      .int()
      .min(0)
      .max(100_000)
      .nullish()
      .describe('as the system counts them; kept as evidence, the document itself is counted'),
  })
  .meta({ id: 'ImportManifest' });

const IMPORT_STATUSES = FIXED_WORDS.importResult;

export const ImportResult = z
  .strictObject({
    import_id: Id,
    inbound_id: Id.describe('the received fax that the document is'),
    status: z
      .enum(IMPORT_STATUSES)
      .describe('`duplicate`: the same document was imported before; nothing was created'),
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
      'The account of the caller, `operation_id` and `revision` identify an import: the same document again is a',
      '`duplicate`, another one is refused and the first one kept. So a request without an answer may be repeated.',
      'Nothing is recorded before every page of the PDF was loaded.',
      'Takes `work:import` on everything, or on the mailbox that `to_number` chooses.',
    ].join(' '),
    access: 'work:import',
    anywhere: true,
    form: {
      fields: z.strictObject({
        manifest: z.string().optional().describe('JSON text with the fields of ImportManifest; needed'),
      }),
      files: { file: { description: 'the PDF; needed', required: false, repeated: false } },
    },
    answer: { status: 200, schema: ImportResult },
    refusals: ['manifest_unreadable', 'import_not_pdf', 'import_conflict', 'not_allowed'],
  }),
} as const;
