import { z } from 'zod';
import { ENCODED_PAGES, PAGE_FORMS } from '../encoded-pages.ts';
import { GUARD_ANSWERS, GUARD_CHECKS } from '../guard.ts';
import { HEADER_OWN_FORMS } from '../header-line.ts';
import { FAX_HISTORY_KINDS } from '../history-kinds.ts';
import { LIMITS } from '../limits.ts';
import { SEND_WHEN } from '../send-when.ts';
import {
  ATTEMPT_PHASES,
  DELIVERED_BY,
  DELIVERY_STATES,
  type DeliveryState,
  DISPATCH_MODES,
  ERROR_CATEGORIES,
  FAX_KINDS,
  STATUS_LABELS,
  UNREACHED,
  WAITS_FOR,
} from '../states/outbound.ts';
import { CALL_STAGES } from '../states/telephony.ts';
import { VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { ContactRef } from './contacts-fields.ts';
import { PrintedCover } from './covers.ts';
import { LegalHoldName } from './holds.ts';
import { aboutFields } from './outbound-about-shapes.ts';
import { FaxEdits, PageEdits } from './outbound-edits.ts';
import { AttemptCost, Money } from './routing-costs.ts';
import { AnyTime, BackendName, Id, OptionalTime, Time, Version } from './values.ts';

const Count = z.number().int().min(0);

const FaxDocument = z.strictObject({
  sha256: z
    .string()
    .length(64)
    .nullable()
    .describe(
      'SHA-256 of the prepared PDF, lowercase hex; null for a fax of an earlier release whose document was not there',
    ),
  pages: Count,
  size_bytes: Count,
  media_type: z.string().describe('media type of the submitted document'),
  file_name: z.string(),
});

const FaxAttempt = z.strictObject({
  id: Id,
  number: Count,
  phase: z.enum(ATTEMPT_PHASES),
  provider_account: z.string(),
  submitted_at: OptionalTime,
  completed_at: OptionalTime,
  pages_sent: Count.nullable(),
  encoded_pages: Count.nullable().describe('number of encoded pages that it sends; null for ordinary pages'),
  seconds: Count.nullable(),
  rate_bps: Count.nullable(),
  error_category: z.enum(ERROR_CATEGORIES).nullable(),
  unreached: z.enum(UNREACHED).nullable().describe('true if the number was busy or nobody answered'),
  failure_code: z
    .string()
    .nullable()
    .describe('failure code of the provider, e.g. "lineError 17"; null if it reported none'),
  cost: AttemptCost.nullable().describe('null before it begins, and if nothing is billed'),
});

const FaxProgress = z.strictObject({
  stage: z.enum(CALL_STAGES).describe('ringing, answered, or sending pages'),
  page: Count.nullable().describe('page that is being sent, from 1'),
  rate_bps: Count.nullable(),
});

const EncodedForm = z.strictObject({
  mode: z
    .enum(['plain', 'encrypted'])
    .describe('`plain` for pages that everyone with a decoder reads, `encrypted` for the shared key'),
  pages: Count,
  seconds: Count.describe('estimated time on the line'),
});

/** Received fax that a sent one answers. */
const AnsweredFax = z
  .strictObject({
    inbound_id: Id,
    from: z.string().max(40).describe('number of its sender: E.164, or "Unknown"'),
    received_at: Time,
  })
  .meta({ id: 'AnsweredFax' });

export const FaxJob = z
  .strictObject({
    id: Id,
    kind: z
      .enum(FAX_KINDS)
      .describe('`code` for the page with the code of a partner of direct delivery; `fax` for all others'),
    to: z.string().describe('E.164'),
    status: z.enum(STATUS_LABELS).describe('compatibility label; judge delivery by delivery_state'),
    error: z.string().nullable(),
    pages: Count.nullable(),
    backend: BackendName,
    internal: z
      .boolean()
      .describe('true if it is delivered here without a call; `delivered_by` is then set after delivery'),
    direct: z
      .boolean()
      .describe('true while it goes, and after it went, directly to the installation of a partner'),
    route: z
      .strictObject({
        id: Id,
        name: z.string(),
        reason: z.string().describe('rule that selected it, as a sentence'),
      })
      .nullable()
      .describe('route that the fax uses or used; null if the provider in the settings sends it'),
    provider_sid: z.string().nullable(),
    created_at: Time,
    updated_at: Time,
    delivery_state: z
      .enum(DELIVERY_STATES)
      .describe(
        'the state to judge delivery by: `success`, `failed` and `cancelled` are final, and only `success` means delivered. `held` waits for a person; `reconciliation_required` waits for a person to confirm whether it arrived, and is never sent again automatically; the others pass by themselves',
      ),
    dispatch_mode: z
      .enum(DISPATCH_MODES)
      .describe(
        '`normal`, `held` if it was accepted while sending was off, `legacy` for a fax of an earlier release',
      ),
    delivery_version: Version.describe(
      'goes up by one at each change; send it back with a change of the fax',
    ),
    reconciliation_reason: z
      .string()
      .nullable()
      .describe('reason why a person has to confirm the outcome, as a sentence; null if nobody has to'),
    document: FaxDocument,
    attempt: FaxAttempt.nullable().describe('newest attempt'),
    progress: FaxProgress.nullable().describe(
      'progress of the call over the phone line; null if unknown, and after the call',
    ),
    cost: Money.nullable().describe('cost of all its attempts; null while unknown, and if it is free'),
    free: z
      .boolean()
      .describe(
        'true if it costs nothing: canceled, delivered here without a call, never accepted by a provider, or a test fax',
      ),
    queue_only: z.boolean().describe('true if it was accepted without being sent, while sending was off'),
    send_now: z
      .boolean()
      .describe(
        'true if it does not wait for other faxes to its number; those that wait go in the same call',
      ),
    urgent: z
      .boolean()
      .describe('true if it is sent before other faxes that wait for the same number or line'),
    send_by_call: z.boolean().describe('true if a call is placed even to one of our own numbers'),
    resend_of: Id.nullable().describe('id of the fax that this one sends again; null if it sends none again'),
    answers: AnsweredFax.nullable().describe(
      'received fax that this one answers; null for none, and where the caller may not read that fax',
    ),
    tried_again_as: Id.nullable().describe('id of the fax that tries a busy or unanswered number again'),
    automatic_tries: Count.describe('number of earlier faxes that were tried again automatically'),
    case_id: Id.nullable(),
    cover: PrintedCover.nullable().describe('cover page, the first of its pages; null for none'),
    broadcast_id: Id.nullable().describe('id of the broadcast that it belongs to; null for other faxes'),
    legal_holds: z
      .array(LegalHoldName)
      .describe('legal holds that keep it from being deleted, oldest first; empty for none'),
    edits: FaxEdits.nullable().describe(
      'changes to its pages before it was sent; null if it was sent as it was',
    ),
    mailbox: z.string().nullable().describe('label of the mailbox it was sent for'),
    created_by: z.strictObject({ id: Id, name: z.string() }),
    contact: ContactRef.nullable().describe('contact with the number; requires contacts:read'),
    delivered_by: z.enum(DELIVERED_BY).nullable(),
    decision: z
      .strictObject({ by: z.string(), note: z.string() })
      .nullable()
      .describe(
        'person who recorded the outcome after asking the recipient; null if the provider reported it',
      ),
    ask_again_at: OptionalTime.describe(
      'for a fax that needs confirmation: time to ask the recipient again, because they could not be reached; null means now',
    ),
    send_at: OptionalTime.describe('time to send it; null to send it at once'),
    send_by: OptionalTime.describe('latest time to begin sending it, else it fails; null for no limit'),
    send_when: z.enum(SEND_WHEN).describe('hours in which it may be sent'),
    hours: z
      .strictObject({
        open_at: Time.describe('time when the hours begin'),
        reason: z.string().describe('sentence for people'),
      })
      .nullable()
      .describe('hours that it waits for'),
    waits_for: z
      .enum(WAITS_FOR)
      .nullable()
      .describe(
        'reason why a due fax waits: the telephone engine cannot be reached, there is no free line, or another call to its number is in progress',
      ),
    held_reason: z
      .string()
      .nullable()
      .describe('reason why a spending limit holds it, as a sentence; null if none does'),
    arrival_warning: z
      .string()
      .nullable()
      .describe(
        'warning, as a sentence, that the fax may arrive twice: the provider reported an earlier attempt as delivered or in progress',
      ),
    together: z
      .strictObject({
        leaves_at: OptionalTime.describe(
          'time when it is sent in one call with others; null if it does not wait',
        ),
        with: z
          .array(Id)
          .describe('faxes that are sent or were sent in the same call and that the caller can see'),
      })
      .describe('for a number whose faxes are sent together'),
    clean_greys: z
      .boolean()
      .describe('true if grays were cleaned up: the document has the black-and-white pages that are sent'),
    header_name: z
      .string()
      .nullable()
      .describe(
        'name in the header line that the sender had set when the fax was accepted; null for that of the office. No header line is printed on faxes to own numbers and directly to partners',
      ),
    page_form: z.enum(PAGE_FORMS).describe('form of the pages as it was asked for'),
    encoded: EncodedForm.nullable().describe(
      'pages that a call sends in place of the document and that carry it; null for ordinary pages. The document stays the original',
    ),
    titles: z.array(z.string()).describe('one per file, in order; empty if none were given'),
    ...aboutFields,
    test: z
      .boolean()
      .describe('true for a test fax, sent with a test key: it is handed to nobody, and costs nothing'),
  })
  .meta({ id: 'FaxJob' });

export const FaxEvent = z.strictObject({
  kind: z.enum(FAX_HISTORY_KINDS),
  occurred_at: Time,
  actor: z.string(),
  text: z.string().describe('sentence for people'),
});

const PreviewNote = z.strictObject({ kind: z.string(), page: Count, text: z.string() });

/** One page of a preview, as far as it is drawn. */
export const PreviewPageFacts = z.strictObject({
  page: Count,
  document: Count.describe('index of the file in `documents`, from 0'),
  seconds: Count.describe('estimated time on the line for this page, as shown'),
  grey: z.boolean().describe('true if much of the page is gray'),
  seconds_clean: Count.nullable().describe('for a gray page: time with clean_greys'),
  seconds_with_greys: Count.nullable().describe('for a gray page: time without clean_greys'),
});

export const PreviewDocument = z.strictObject({
  file_name: z.string(),
  pages: Count,
  file_pages: Count.describe('number of pages of the file before changes'),
  media_type: z.string().describe('detected from the content, never from the name'),
});

/** The line on top of every page. */
export const PreviewHeaderLine = z.strictObject({
  text: z
    .string()
    .describe('text on page 1, from left to right; words in brackets mark parts that the provider prints'),
  has_recipient: z
    .boolean()
    .describe('true if it contains the recipient’s number: the number is known and there is room for it'),
  backend: BackendName.nullable().describe('provider that prints it; null if none is chosen'),
  own_form: z
    .array(z.enum(HEADER_OWN_FORMS))
    .describe('parts that the provider prints in a different format'),
});

export const FaxPreview = z
  .strictObject({
    preview_id: Id,
    pages: Count,
    seconds: Count.nullable().describe('estimated time on the line; null until every page is ready'),
    cost: z.null().describe('always null; use `GET /routing/quote` for a number'),
    notes: z.array(PreviewNote),
    drawn: Count.describe('number of pages that are ready; they become ready in order'),
    complete: z.boolean(),
    problem: z
      .string()
      .nullable()
      .describe('reason why the other pages cannot be created; the document cannot be sent then'),
    clean_greys: z.boolean(),
    to: z.string().nullable().describe('E.164 of the recipient in the header line; null if not known'),
    documents: z.array(PreviewDocument).describe('files in order'),
    document_sha256: z
      .string()
      .nullable()
      .describe('SHA-256 of the PDF that is stored if this preview is sent; null until it is created'),
    page_facts: z.array(PreviewPageFacts),
    header: PreviewHeaderLine.nullable().describe(
      'null if neither organization nor number is set, and for a fax that is delivered without a call',
    ),
    page_edits: PageEdits.nullable().describe('changes to the pages; null if they are as in the files'),
    expires_at: Time.describe('each request for this state extends it'),
  })
  .meta({ id: 'FaxPreview' });

/** Pages that a fax of a preview would be sent as. */
export const EncodedPreview = z
  .strictObject({
    to: z.string().describe('E.164'),
    encoded: EncodedForm.nullable().describe('null where ordinary pages would be sent'),
    note: z.string().nullable().describe('reason for ordinary pages, as a sentence; null if none is needed'),
    problem: z.string().nullable().describe('reason why the fax would be refused, as a sentence'),
  })
  .meta({ id: 'EncodedPreview' });

const StateCounts = z
  .strictObject(
    Object.fromEntries(DELIVERY_STATES.map((state) => [state, Count])) as Record<DeliveryState, typeof Count>,
  )
  .meta({ id: 'FaxStateCounts' });

export const FaxCounts = z
  .strictObject({
    all: StateCounts,
    mine: StateCounts.describe('of the faxes that the caller submitted'),
    scheduled: z
      .strictObject({
        all: Count.describe('of all that the caller can see'),
        mine: Count.describe('of those that the caller submitted'),
      })
      .describe('number of faxes that wait for a scheduled time, for hours, or for others to their number'),
    unseen_failed: Count.describe('number of failed faxes of the caller that they have not seen since'),
  })
  .describe('counts of the faxes that the caller can see, of each state up to 10,000')
  .meta({ id: 'FaxCounts' });

/** A number that faxes were sent to. */
export const FaxNumber = z
  .strictObject({
    to: z.string().describe('E.164'),
    last_used_at: Time,
    last_success_at: OptionalTime,
    uses: Count.describe('number of faxes accepted for it'),
    contact: ContactRef.nullable(),
  })
  .meta({ id: 'FaxNumber' });

const GuardFinding = z
  .strictObject({
    check: z.enum(GUARD_CHECKS).describe('what was found'),
    action: z
      .enum(['warn', 'ask', 'refuse'])
      .describe(
        'by the setting of the check: a warning, a question that a person answers, or a refusal. With `guard=refuse` a fax is refused for `refuse`, and for `ask` without an answer',
      ),
    sentence: z.string().describe('sentence for people: what was found and what to do'),
    answer: z
      .enum(GUARD_ANSWERS)
      .nullable()
      .describe(
        'how `ask` is answered: `digits` by the last four digits in `guard_digits`, `yes` by naming the check in `guard_confirmed`; null for other actions',
      ),
    near: z
      .strictObject({
        to: z.string().describe('E.164'),
        name: z.string().nullable().describe('name of its contact; null for none'),
      })
      .nullable()
      .describe('known number that was probably meant; null for other checks'),
  })
  .meta({ id: 'GuardFinding' });

const NumberHours = z.strictObject({
  open_at: OptionalTime.describe('their next begin; null while they are open'),
  reason: z.string().nullable().describe('sentence on the wait; null while they are open'),
});

export const NumberCheck = z
  .strictObject({
    to: z.string().nullable().describe('E.164; null if the text is not a fax number'),
    display: z.string().nullable().describe('grouped for reading'),
    country: z.string().length(2).nullable().describe('ISO 3166; null if unknown'),
    problem: z.string().nullable().describe('sentence for people if `to` is null'),
    internal: z
      .boolean()
      .describe(
        'true for one of our own numbers: the fax is delivered here without a call, unless it is sent by call',
      ),
    direct: z
      .boolean()
      .describe('true if a partner gets the original directly, without a call, unless it is sent by call'),
    first_time: z.boolean().describe('true if no fax was accepted for it before and no contact has it'),
    contact: ContactRef.nullable().describe('contact with the number; requires contacts:read'),
    blocked: z.boolean().describe('true if no fax is accepted for it'),
    encoded_pages: z
      .enum(ENCODED_PAGES)
      .describe('form of the pages that are sent to it, as its contact says'),
    together_minutes: Count.describe(
      'minutes that a fax to it waits for others, to be sent in one call; 0 if it does not wait',
    ),
    hours: z
      .strictObject({
        recipient: NumberHours.nullable().describe('hours of its contact; null for none'),
        cheap: NumberHours.nullable().describe('cheap hours; null if none are set'),
      })
      .describe('hours that a fax to it can wait for'),
    last_success_at: OptionalTime,
    near: z
      .strictObject({ to: z.string(), last_success_at: Time })
      .nullable()
      .describe(
        'number that received faxes and that differs by one digit or by two swapped digits; null if this number received faxes itself',
      ),
    findings: z
      .array(GuardFinding)
      .describe('what the wrong-number guard found, the gravest first; empty if nothing speaks against it'),
  })
  .meta({ id: 'FaxNumberCheck' });

const DecisionNote = z.string().trim().min(1).max(LIMITS.noteLength).regex(VISIBLE_TEXT, VISIBLE_RULE);

export const Reconciliation = z.union([
  z.strictObject({
    outcome: z.enum(['success', 'failed']),
    note: DecisionNote,
    pages_arrived: Count.optional().describe(
      'with `failed`: number of pages that arrived, counted from the first; leave it out if unknown',
    ),
    delivery_version: Version,
  }),
  z.strictObject({
    outcome: z.literal('not_reached').describe('the recipient could not be reached: the fax does not change'),
    note: DecisionNote.optional(),
    ask_again_at: AnyTime.optional().describe(
      `time to ask again; if left out, after ${LIMITS.askAgainMinutes} minutes`,
    ),
    delivery_version: Version,
  }),
  z.strictObject({ provider_sid: z.string().trim().min(1).max(100), delivery_version: Version }),
]);

export const CallbackAnswer = z
  .strictObject({ ok: z.literal(true), applied: z.boolean() })
  .meta({ id: 'CallbackAnswer' });
