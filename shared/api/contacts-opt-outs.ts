import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ConsentNote } from './contacts-fields.ts';
import { defineRoute } from './route.ts';
import { Cursor, FormFlag, Id, ListLimit, pageOf, Time } from './values.ts';

const room = 'contacts';
const TypedNumber = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .describe('with +, or a national number of the default country');
const Sentence = z.strictObject({
  line: z.int().min(1).describe('line of the file'),
  sentence: z.string().describe('reason why it was left out'),
});

/** A number that wants no faxes: of the list itself, or of a contact that opted out. */
export const OptOut = z
  .strictObject({
    fax_number: z.string().describe('E.164'),
    source: z
      .enum(['list', 'contact'])
      .describe('`contact` where the contact of the number opted out; it is changed there'),
    contact: z
      .strictObject({ id: Id, name: z.string() })
      .nullable()
      .describe('contact with the number that the caller can see; null for none'),
    note: z.string().nullable().describe('how and when they opted out'),
    added_at: Time.describe('time since when it is so'),
    added_by: z.string().nullable().describe('name of the one who added it; null for a contact'),
  })
  .meta({ id: 'OptOut' });

const OptOutImport = z
  .strictObject({
    added: z.int().describe('numbers that are new on the list'),
    unchanged: z.int().describe('numbers that were on the list before, or several times in the file'),
    left_out: z.int().describe('lines without a valid number'),
    problems: z.array(Sentence).describe('every line that was left out, with the reason'),
    checked_only: z.boolean().describe('true if nothing was changed'),
  })
  .meta({ id: 'OptOutImport' });

export const optOutRoutes = {
  listOptOuts: defineRoute({
    id: 'listOptOuts',
    room,
    method: 'GET',
    path: '/contacts/opt-outs',
    summary: 'List the numbers that want no faxes, by number',
    description:
      'The numbers of the opt-out list and those of contacts that opted out. Every broadcast leaves them out; the wrong-number guard finds them in single faxes and case packets.',
    access: 'contacts:read',
    query: z.strictObject({
      q: z.string().max(40).optional().describe('part of the number, in any usual form'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(OptOut).meta({ id: 'OptOutPage' }) },
  }),
  addOptOut: defineRoute({
    id: 'addOptOut',
    room,
    method: 'POST',
    path: '/contacts/opt-outs',
    summary: 'Add a number to the opt-out list',
    description: 'A number that is on the list stays as it is.',
    access: 'contacts:manage',
    audited: { operation: 'opt_out.add', target: 'opt_out' },
    badBody: 'sentence',
    body: z.strictObject({ fax_number: TypedNumber, note: ConsentNote.optional() }),
    answer: { status: 201, schema: OptOut },
    refusals: ['invalid_fax_number'],
  }),
  importOptOuts: defineRoute({
    id: 'importOptOuts',
    room,
    method: 'POST',
    path: '/contacts/opt-outs/import',
    summary: 'Add the numbers of a file to the opt-out list',
    description: `Numbers line by line, or CSV whose first line names the columns; at most ${LIMITS.optOutLines.toLocaleString('en')} lines. An import takes no number off the list.`,
    access: 'contacts:manage',
    audited: { operation: 'opt_out.import', target: 'opt_out' },
    form: {
      fields: z.strictObject({
        note: z
          .string()
          .trim()
          .max(LIMITS.contactLengths.consentNote)
          .optional()
          .describe('how and when they opted out; kept with each new number')
          .meta({ examples: [''] }),
        check_only: FormFlag.default(false).describe('true reports the result and changes nothing'),
      }),
      files: { file: { description: 'CSV or text file, at most 5 MB', required: true, repeated: false } },
    },
    answer: { status: 200, schema: OptOutImport },
    refusals: ['contact_file_refused'],
  }),
  removeOptOut: defineRoute({
    id: 'removeOptOut',
    room,
    method: 'DELETE',
    path: '/contacts/opt-outs/:number',
    summary: 'Take a number off the opt-out list',
    description: 'Only for a recipient who wants faxes again. A contact that opted out is changed itself.',
    access: 'contacts:manage',
    audited: { operation: 'opt_out.remove', target: 'opt_out', param: 'number' },
    params: z.strictObject({ number: TypedNumber.describe('number in any usual form') }),
    answer: {
      status: 200,
      schema: z
        .strictObject({
          fax_number: z.string().describe('E.164'),
          was_listed: z.boolean().describe('false if the number was not on the list'),
        })
        .meta({ id: 'OptOutRemoved' }),
    },
    refusals: ['invalid_fax_number'],
  }),
} as const;
