import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { PRINT_DECISIONS, PRINT_STATES } from '../states/print-rules.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { AllowedHours, ContactRef } from './contacts-fields.ts';
import { defineRoute } from './route.ts';
import {
  Cursor,
  Id,
  IdList,
  IdParams,
  ListLimit,
  OptionalTime,
  pageOf,
  queryList,
  Time,
  Version,
  VersionIn,
} from './values.ts';

const room = 'print-rules';
const badBody = 'sentence';
const LIMIT = LIMITS.printRule;

const Line = z.string().trim().min(1).max(LIMIT.name).regex(VISIBLE_LINE, VISIBLE_RULE);
const Hours = z
  .array(AllowedHours)
  .min(1)
  .max(LIMITS.contactHours)
  .describe(
    'days and hours in which the rule prints, in the time zone of the installation; a fax that arrives outside of them is printed when they begin; null for always',
  );
const PrinterAddress = z
  .string()
  .trim()
  .max(LIMIT.address)
  .regex(
    /^ipps?:\/\/(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:\/[\w./~%-]*)?$/u,
    'must be an address such as ipp://192.0.2.30/ipp/print',
  )
  .meta({
    description: 'address of the printer, `ipp://` or `ipps://`; port 631 if none is given',
    examples: ['ipp://192.0.2.30/ipp/print'],
  });

/** Rule as a person sets it up. */
export const PrintRuleIn = z
  .strictObject({
    name: Line,
    printer: Line.describe('name of the printer for people, such as Reception'),
    printer_url: PrinterAddress,
    mailbox_id: Id.nullish().describe('only faxes of this mailbox; null for those of all mailboxes'),
    hours: Hours.nullish(),
    enabled: z.boolean().default(true),
    version: Version.nullish().describe('version of the rule from the last read; required for a change'),
  })
  .meta({ id: 'PrintRuleIn' });

export const PrintRule = z
  .strictObject({
    id: Id,
    name: z.string(),
    printer: z.string().describe('name of the printer for people'),
    printer_url: z.string().describe('address of the printer'),
    mailbox: z
      .strictObject({ id: Id, label: z.string().nullable().describe('null if it was removed') })
      .nullable()
      .describe('null for the faxes of all mailboxes'),
    hours: Hours.nullable(),
    enabled: z.boolean(),
    version: Version,
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'PrintRule' });

const PrinterCheck = z
  .strictObject({
    ok: z.boolean(),
    model: z.string().nullable().describe('maker and model as the printer reports them'),
    detail: z.string().describe('result as a sentence for people'),
  })
  .meta({ id: 'PrinterCheck' });

export const Printout = z
  .strictObject({
    id: Id,
    fax_id: Id,
    fax: z
      .strictObject({
        from_number: z.string().nullable(),
        contact: ContactRef.nullable().describe('contact with that number; requires contacts:read'),
        to_number: z.string().nullable(),
        pages: z.int(),
        filed_at: Time,
      })
      .describe('received fax that it prints'),
    rule: z.strictObject({ id: Id, name: z.string() }).describe('rule that prints the fax'),
    printer: z.string().describe('name of the printer for people'),
    state: z
      .enum(PRINT_STATES)
      .describe(
        '`given`: the printer accepted it and does not report when a job is printed; `doubtful`: it may have been printed, and a person has to check',
      ),
    sentence: z
      .string()
      .nullable()
      .describe(
        'why it is not printed, or what the printer does not report; for `doubtful` what is certain, what is not, and what to do',
      ),
    failures: z
      .int()
      .min(0)
      .describe('number of attempts since it last started at which the printer did not print'),
    retry_at: OptionalTime.describe('time of the next attempt'),
    submitted_at: OptionalTime.describe('time at which it was last sent to the printer'),
    printed_at: OptionalTime.describe(
      'time at which the printer reported it as printed, or was found to have taken it, or a person confirmed it',
    ),
    version: Version,
    recorded_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Printout' });

const Counts = z.strictObject(
  Object.fromEntries(
    PRINT_STATES.map((state) => [state, z.int().min(0).describe(`number of ${state} printouts`)]),
  ) as Record<(typeof PRINT_STATES)[number], z.ZodInt>,
);
const NOT_SET_UP = ['print_rule_refused', 'no_such_mailbox', 'setting_opens_more'] as const;

export const printRulesRoutes = {
  listPrintRules: defineRoute({
    id: 'listPrintRules',
    room,
    method: 'GET',
    path: '/print-rules',
    summary: 'List the rules that print received faxes, by name',
    access: 'mailboxes:read',
    answer: { status: 200, schema: z.strictObject({ items: z.array(PrintRule) }).meta({ id: 'PrintRules' }) },
  }),
  createPrintRule: defineRoute({
    id: 'createPrintRule',
    room,
    method: 'POST',
    path: '/print-rules',
    summary: 'Create a rule that prints received faxes',
    description:
      'Also requires inbound:document for the whole installation, because it prints documents. From then on, each filed fax that matches is printed once by each enabled rule. Faxes in Junk are printed when someone takes them out of it; imported faxes are never printed.',
    access: 'settings:write',
    audited: { operation: 'print_rule.create', target: 'print_rule' },
    badBody,
    body: PrintRuleIn,
    answer: { status: 201, schema: PrintRule },
    refusals: [...NOT_SET_UP],
  }),
  changePrintRule: defineRoute({
    id: 'changePrintRule',
    room,
    method: 'PUT',
    path: '/print-rules/:id',
    summary: 'Change a rule that prints received faxes',
    description:
      'Also requires inbound:document for the whole installation. All fields are replaced. Faxes that wait to be printed follow the new printer and hours.',
    access: 'settings:write',
    audited: { operation: 'print_rule.change', target: 'print_rule', param: 'id' },
    badBody,
    params: IdParams,
    body: PrintRuleIn,
    answer: { status: 200, schema: PrintRule },
    refusals: [...NOT_SET_UP, 'no_such_print_rule', 'stale'],
  }),
  removePrintRule: defineRoute({
    id: 'removePrintRule',
    room,
    method: 'POST',
    path: '/print-rules/:id/remove',
    summary: 'Remove a rule that prints received faxes',
    description:
      'Also requires inbound:document. Faxes that it has not printed yet fail; earlier printouts stay in the list.',
    access: 'settings:write',
    audited: { operation: 'print_rule.remove', target: 'print_rule', param: 'id' },
    badBody,
    params: IdParams,
    body: VersionIn,
    answer: { status: 200, schema: PrintRule },
    refusals: ['no_such_print_rule', 'setting_opens_more', 'stale'],
  }),
  checkPrinter: defineRoute({
    id: 'checkPrinter',
    room,
    method: 'POST',
    path: '/printers/check',
    summary: 'Check that a printer answers at an address',
    description:
      'Nothing is printed. The response names the printer, and says what keeps it from printing. Each caller can check 20 times a minute.',
    access: 'settings:write',
    audited: { operation: 'printer.check', target: 'printer' },
    badBody,
    body: z.strictObject({ printer_url: PrinterAddress }).meta({ id: 'PrinterCheckIn' }),
    answer: { status: 200, schema: PrinterCheck },
    refusals: [],
  }),
  listPrintouts: defineRoute({
    id: 'listPrintouts',
    room,
    method: 'GET',
    path: '/printouts',
    summary: 'List printouts of the received faxes that the caller can read, newest first',
    access: 'inbound:read',
    anywhere: true,
    query: z.strictObject({
      ids: IdList.optional(),
      state: queryList(PRINT_STATES).optional(),
      fax_id: Id.optional(),
      rule_id: Id.optional(),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: {
      status: 200,
      schema: pageOf(Printout)
        .extend({ counts: Counts.describe('number of all these printouts by state') })
        .meta({ id: 'PrintoutPage' }),
    },
  }),
  retryPrintout: defineRoute({
    id: 'retryPrintout',
    room,
    method: 'POST',
    path: '/printouts/:id/retry',
    summary: 'Print a failed or waiting fax now',
    description:
      'Within the hours of its rule. A fax that may have been printed must be confirmed first. Needs the permission on the fax.',
    access: 'inbound:document',
    anywhere: true,
    audited: { operation: 'printout.retry', target: 'printout', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: Printout },
    refusals: ['no_such_printout', 'not_allowed', 'printout_not_retried'],
  }),
  confirmPrintout: defineRoute({
    id: 'confirmPrintout',
    room,
    method: 'POST',
    path: '/printouts/:id/confirm',
    summary: 'Confirm whether a fax was printed, or print it again',
    description:
      'For a fax that needs a check, that failed, or, to print it not at all, that waits. The answer applies only to the version that was read. Needs the permission on the fax.',
    access: 'inbound:document',
    anywhere: true,
    audited: { operation: 'printout.confirm', target: 'printout', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      outcome: z.enum(PRINT_DECISIONS),
      version: Version.describe('version of the printout from the last read'),
    }),
    answer: { status: 200, schema: Printout },
    refusals: ['no_such_printout', 'not_allowed', 'printout_settled', 'stale'],
  }),
} as const;
