import { z } from 'zod';
import { PRINT_TO_FAX, PRINTED_SOURCES } from '../printing.ts';
import { defineRoute } from './route.ts';
import { Done, Id, IdParams, OptionalTime, Time, Version } from './values.ts';

const room = 'printing';

export const PrintedDocument = z
  .strictObject({
    id: Id,
    source: z.enum(PRINTED_SOURCES).describe('`scanner` for the pages of a scan'),
    name: z.string().describe('name that the program gave it; may be empty'),
    printed_by: z
      .string()
      .nullable()
      .describe(
        'account that printed it, as the computer reported it without proof; null if it reported none',
      ),
    to: z
      .string()
      .nullable()
      .describe('number of the recipient that the program gave, not checked; null if it gave none'),
    pages: z.int().min(1).describe('number of pages'),
    size_bytes: z.int().min(0).describe('size of the PDF'),
    mine: z.boolean().describe('true if it is of the caller; false while it is no one’s'),
    printed_at: Time,
    version: Version,
  })
  .meta({ id: 'PrintedDocument' });

const Printer = z
  .strictObject({
    mode: z.enum(PRINT_TO_FAX).describe('computers that can print to it'),
    name: z.string().describe('name by which computers show it'),
    uri: z.string().nullable().describe('address with which a computer adds it; null if it does not listen'),
    network_uri: z
      .string()
      .nullable()
      .describe(
        'address with which other computers add it, with a print password; null if it does not listen',
      ),
    network_name: z
      .string()
      .nullable()
      .describe('name by which other computers find it in the local network; null if it is not announced'),
    problem: z
      .string()
      .nullable()
      .describe('problem with the current settings and its reason, as a sentence for people'),
  })
  .meta({ id: 'FaxPrinter' });

const PrintPassword = z
  .strictObject({
    login: z.string().describe('user name for the printer: the sign-in name'),
    created_at: OptionalTime,
  })
  .meta({ id: 'PrintPassword' });

const refusals = ['no_such_printed_document'] as const;

/** Documents that were printed to Faxdesk: nothing is sent until a person sends it. */
export const printingRoutes = {
  getPrinter: defineRoute({
    id: 'getPrinter',
    room,
    method: 'GET',
    path: '/printer',
    summary: 'Get the address of the fax printer',
    access: 'fax:send',
    anywhere: true,
    answer: { status: 200, schema: Printer },
  }),
  getPassword: defineRoute({
    id: 'getPrintPassword',
    room,
    method: 'GET',
    path: '/printer/password',
    summary: 'Get the user name of the caller for printing over the network',
    access: 'fax:send',
    anywhere: true,
    answer: { status: 200, schema: PrintPassword },
    refusals: ['print_passwords_of_people'],
  }),
  createPassword: defineRoute({
    id: 'createPrintPassword',
    room,
    method: 'POST',
    path: '/printer/password',
    summary: 'Create the print password of the caller, in place of an earlier one',
    description:
      'It is returned once. It only prints over the network, for its person while they have `fax:send`; it signs nobody in.',
    access: 'fax:send',
    anywhere: true,
    audited: { operation: 'print_password.create', target: 'user', own: true },
    answer: {
      status: 200,
      schema: z
        .strictObject({
          login: z.string().describe('user name for the printer: the sign-in name'),
          password: z.string().describe('password, only in this answer'),
          created_at: Time,
        })
        .meta({ id: 'CreatedPrintPassword' }),
    },
    refusals: ['print_passwords_of_people'],
  }),
  removePassword: defineRoute({
    id: 'removePrintPassword',
    room,
    method: 'DELETE',
    path: '/printer/password',
    summary: 'Remove the print password of the caller',
    access: 'fax:send',
    anywhere: true,
    audited: { operation: 'print_password.remove', target: 'user', own: true },
    answer: { status: 200, schema: Done },
    refusals: ['no_print_password'],
  }),
  listPrinted: defineRoute({
    id: 'listPrintedDocuments',
    room,
    method: 'GET',
    path: '/printed',
    summary: 'List printed documents that wait to be sent, newest first',
    description:
      'Those of the caller. Those of no one are listed at the Faxdesk computer, and for callers with `fax:document` on the installation.',
    access: 'fax:send',
    anywhere: true,
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(PrintedDocument) }).meta({ id: 'PrintedDocumentList' }),
    },
  }),
  takePrinted: defineRoute({
    id: 'acceptPrintedDocument',
    room,
    method: 'POST',
    path: '/printed/:id/take',
    summary: 'Take a printed document of no one',
    description: 'From then on only the caller can see it. Taking one’s own document changes nothing.',
    access: 'fax:send',
    anywhere: true,
    audited: { operation: 'printed.take', target: 'printed_document', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: PrintedDocument },
    refusals: [...refusals],
  }),
  getDocument: defineRoute({
    id: 'getPrintedDocument',
    room,
    method: 'GET',
    path: '/printed/:id/document',
    summary: 'Get the pages of a printed document of the caller',
    access: 'fax:send',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, contentType: 'application/pdf' },
    hasRanges: true,
    refusals: [...refusals],
  }),
  removePrinted: defineRoute({
    id: 'removePrintedDocument',
    room,
    method: 'DELETE',
    path: '/printed/:id',
    summary: 'Discard a printed document',
    access: 'fax:send',
    anywhere: true,
    audited: { operation: 'printed.remove', target: 'printed_document', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: Done },
    refusals: [...refusals],
  }),
} as const;
