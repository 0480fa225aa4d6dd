import { z } from 'zod';
import { BUILT_IN_COVERS, COVER_FIELD_NAME, COVER_FIELDS, COVER_LIMITS, NO_COVER } from '../covers.ts';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import { Done, Id, IdParams, jsonText, OptionalTime, queryList, Version, VersionIn } from './values.ts';

const room = 'covers';
const badBody = 'sentence';

const Line = (most: number) => z.string().max(most).regex(VISIBLE_LINE, VISIBLE_RULE);
const Text = z.string().max(COVER_LIMITS.text).regex(VISIBLE_TEXT, VISIBLE_RULE);
const Name = Line(LIMITS.displayNameLength)
  .min(1)
  .describe('name of the template, for people who choose one');
const Title = Line(COVER_LIMITS.title).describe('largest line of the page');
const Fields = z
  .array(z.enum(COVER_FIELDS))
  .refine((names) => new Set(names).size === names.length, { error: 'must name each field once' })
  .describe('fields on the page, in order; one without a value is left out');
const FreeText = Text.describe(
  'text below the fields; a name in braces, such as `{appointment}`, is replaced by the value of that field',
);
const Notice = Text.describe('confidentiality notice at the foot of the page');

/** Values of the fields of one cover page. */
export const CoverFields = z
  .record(
    z.string().regex(COVER_FIELD_NAME, 'must be a name of lower-case letters, digits and underscores'),
    z.string().max(COVER_LIMITS.value).regex(VISIBLE_TEXT, VISIBLE_RULE),
  )
  .refine((fields) => Object.keys(fields).length <= COVER_LIMITS.values, {
    error: `must have at most ${COVER_LIMITS.values} fields`,
  })
  .refine((fields) => fields['pages'] === undefined, { error: 'must not have pages, which are counted' })
  .meta({ id: 'CoverFields' });

/** Form fields of a fax that has a cover page. */
export const coverFormFields = {
  cover: Id.optional()
    .describe(
      `id of the cover page; \`${NO_COVER}\` for none. Left out, that of the contact of the number, then that of the mailbox, then that of the person, then none`,
    )
    .meta({ examples: [''] }),
  cover_fields: jsonText(CoverFields, COVER_LIMITS.fieldsText)
    .optional()
    .describe(
      'values on the cover page as a JSON object, such as `{"attention":"Dr. Lee","note":"As agreed"}`: `to`, `attention`, `from`, `date`, `subject`, `reference` and `note` in place of what the gateway fills in, and fields of your own template',
    )
    .meta({ examples: [''] }),
};

/** Cover page of a fax with its values. */
export const PrintedCover = z
  .strictObject({
    id: Id,
    name: z.string(),
    fields: z.record(z.string(), z.string()).describe('values as they were printed, by field'),
  })
  .meta({ id: 'PrintedCover' });

export const Cover = z
  .strictObject({
    id: Id,
    name: z.string(),
    built_in: z.boolean().describe('true for those of every installation, which cannot be changed'),
    kind: z.enum(['page', 'pdf']).describe('`pdf` for one whose layout is a PDF with form fields'),
    title: z.string(),
    fields: z.array(z.enum(COVER_FIELDS)).describe('fields on the page, in order'),
    text: z.string(),
    notice: z.string().describe('text at the foot of the page'),
    has_logo: z.boolean().describe('true if it has a logo'),
    form_fields: z.array(z.string()).describe('names of the form fields of a PDF; empty for a page'),
    version: Version,
    created_at: OptionalTime,
    updated_at: OptionalTime,
  })
  .meta({ id: 'Cover' });

const CoverUse = z
  .strictObject({ contacts: z.int().min(0).describe('number'), mailboxes: z.int().min(0) })
  .meta({
    id: 'CoverUse',
    description: 'number of contacts and mailboxes whose faxes have it if no other is named',
  });

const Design = z.strictObject({
  title: Title.default('Fax'),
  fields: Fields.default([...COVER_FIELDS]),
  text: FreeText.default(''),
  notice: Notice.default(''),
});
const PDF_WORDS =
  'PDF of one page whose form fields with the names of values, such as `to` and `note`, are filled in';
/** Characters of a logo in a preview. */
const LOGO_TEXT = 200_000;
const LOGO_WORDS = 'PNG or JPEG, printed in the upper right corner';

/** Cover pages: templates and what they look like. */
export const coversRoutes = {
  listCovers: defineRoute({
    id: 'listCovers',
    room,
    method: 'GET',
    path: '/covers',
    summary: 'List cover pages: the built-in ones, then your own by name',
    access: 'fax:send',
    anywhere: true,
    query: z.strictObject({
      to: z.string().max(40).optional().describe('fax number, for `default_id`'),
      mailbox: Id.optional().describe('id of a mailbox, for `default_id`'),
    }),
    answer: {
      status: 200,
      schema: z
        .strictObject({
          items: z.array(Cover),
          default_id: Id.nullable().describe(
            'cover page of a fax to that number for that mailbox if none is named; null for none',
          ),
        })
        .meta({ id: 'CoverList' }),
    },
  }),
  previewCover: defineRoute({
    id: 'previewCover',
    room,
    method: 'POST',
    path: '/covers/preview',
    summary: 'Draw a cover page as the receiving machine prints it',
    description:
      'Nothing is recorded. With `design` it is a page that is not saved yet. The header line of the fax is added when it is sent.',
    access: 'fax:send',
    anywhere: true,
    badBody,
    body: z.strictObject({
      cover: Id.optional().describe(`id of a cover page; \`${BUILT_IN_COVERS[0]?.id}\` if left out`),
      design: Design.extend({
        logo_of: Id.optional().describe('id of a saved cover page whose logo it has'),
        logo: z
          .string()
          .max(LOGO_TEXT)
          .regex(/^[A-Za-z0-9+/]+={0,2}$/u, { error: 'must be base64' })
          .optional()
          .describe('logo that is not saved: a PNG or JPEG as base64, in place of `logo_of`'),
      })
        .optional()
        .describe('page that is not saved'),
      cover_fields: CoverFields.default({}),
      to: z.string().max(40).optional().describe('recipient as typed; may be incomplete'),
      to_name: Line(300)
        .optional()
        .describe('name of the recipient, in place of that of the contact with the number'),
      mailbox: Id.optional().describe('id of the mailbox it is sent for'),
      pages: z
        .int()
        .min(0)
        .max(1000)
        .nullable()
        .default(1)
        .describe('pages of the fax without the cover page; null while they are not known'),
      subject: Line(LIMITS.about.subject).nullable().optional(),
      reference: Line(LIMITS.about.reference).nullable().optional().describe('null for none'),
    }),
    answer: { status: 200, contentType: 'image/png' },
    refusals: ['unknown_cover', 'cover_refused'],
  }),
  getCover: defineRoute({
    id: 'getCover',
    room,
    method: 'GET',
    path: '/covers/:id',
    summary: 'Get a cover page',
    access: 'fax:send',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: Cover.extend({ used_by: CoverUse }).meta({ id: 'CoverWithUse' }) },
    refusals: ['no_such_cover'],
  }),
  createCover: defineRoute({
    id: 'createCover',
    room,
    method: 'POST',
    path: '/covers',
    summary: 'Create a cover page',
    access: 'settings:write',
    audited: { operation: 'cover.create', target: 'cover' },
    form: {
      fields: z.strictObject({
        name: Name,
        title: Title.default('Fax'),
        fields: queryList(COVER_FIELDS)
          .refine((names) => new Set(names).size === names.length, { error: 'must name each field once' })
          .default([...COVER_FIELDS])
          .describe('fields on the page, in order; one without a value is left out'),
        text: FreeText.default(''),
        notice: Notice.default(''),
      }),
      files: {
        file: {
          description: `logo: ${LOGO_WORDS}; or ${PDF_WORDS}, and the page then has nothing else`,
          required: false,
          repeated: false,
        },
      },
    },
    answer: { status: 200, schema: Cover },
    refusals: ['cover_refused', 'cover_name_taken', 'too_many_covers'],
  }),
  changeCover: defineRoute({
    id: 'changeCover',
    room,
    method: 'PATCH',
    path: '/covers/:id',
    summary: 'Change a cover page; faxes that were accepted keep theirs',
    access: 'settings:write',
    audited: { operation: 'cover.change', target: 'cover', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      name: Name.optional(),
      title: Title.optional(),
      fields: Fields.optional(),
      text: FreeText.optional(),
      notice: Notice.optional(),
      logo: z.null().optional().describe('null removes the logo'),
      version: Version,
    }),
    answer: { status: 200, schema: Cover },
    refusals: ['no_such_cover', 'cover_built_in', 'cover_refused', 'cover_name_taken', 'stale'],
  }),
  replaceCoverFile: defineRoute({
    id: 'replaceCoverFile',
    room,
    method: 'POST',
    path: '/covers/:id/file',
    summary: 'Replace the logo of a cover page, or the PDF of one that is a PDF',
    access: 'settings:write',
    audited: { operation: 'cover.change', target: 'cover', param: 'id' },
    params: IdParams,
    form: {
      fields: z.strictObject({
        version: z.coerce.number().int().min(1).max(2_147_483_647).describe('version that was read last'),
      }),
      files: {
        file: { description: `logo: ${LOGO_WORDS}; or ${PDF_WORDS}`, required: true, repeated: false },
      },
    },
    answer: { status: 200, schema: Cover },
    refusals: ['no_such_cover', 'cover_built_in', 'cover_refused', 'stale'],
  }),
  removeCover: defineRoute({
    id: 'removeCover',
    room,
    method: 'POST',
    path: '/covers/:id/remove',
    summary: 'Remove a cover page',
    description: 'Contacts and mailboxes that have it then have none. Sent faxes keep theirs.',
    access: 'settings:write',
    audited: { operation: 'cover.remove', target: 'cover', param: 'id' },
    badBody,
    params: IdParams,
    body: VersionIn,
    answer: { status: 200, schema: Done },
    refusals: ['no_such_cover', 'cover_built_in', 'stale'],
  }),
} as const;
