import { z } from 'zod';
import { WORK_HISTORY_KINDS } from '../history-kinds.ts';
import { LIMITS } from '../limits.ts';
import { WORK_ACTIONS, WORK_DUE_SOURCES, WORK_STATE_KEYS, WORK_STATES } from '../states/work.ts';
import { EntityRef } from './access-values.ts';
import { ContactRef } from './contacts-fields.ts';
import { aboutFields } from './outbound-about-shapes.ts';
import { Id, OptionalTime, Time, Version } from './values.ts';
import { Hours, WorkPerson } from './work-settings.ts';

const Count = z.number().int().min(0);
const FaxNumber = z.string().max(40).nullable().describe('E.164; null if it was not reported');

/** Part of the queue to list. */
export const WORK_VIEWS = ['todo', 'mine', 'unassigned', 'overdue', 'all', 'done'] as const;
export type WorkView = (typeof WORK_VIEWS)[number];

const fields = {
  id: Id,
  inbound_fax_id: Id,
  state: z.enum(WORK_STATES),
  state_key: z
    .enum(WORK_STATE_KEYS)
    .describe(
      'state in more detail: the first four are open; an item without an owner is waiting, even if overdue',
    ),
  state_text: z.string().describe('state as text for people'),
  due_at: OptionalTime.describe(
    'time by which it should be acknowledged; set once, when the document is filed; null without a target',
  ),
  due_text: z
    .string()
    .nullable()
    .describe('time left until then, at the time of the response; null unless it is open'),
  due_hours: Hours.nullable(),
  due_source: z.enum(WORK_DUE_SOURCES).nullable().describe('source of the target'),
  available_at: Time.describe('time when the document was filed, or when its fax first left Junk'),
  from_number: FaxNumber,
  contact: ContactRef.nullable().describe('contact with the sender’s number; requires contacts:read'),
  to_number: FaxNumber,
  pages: Count,
  ...aboutFields,
  incomplete: z
    .boolean()
    .describe('true if pages of the document may be missing; `problem` has the number that arrived'),
  problem: z.string().nullable().describe('sentence for people; null if there is no problem'),
  mailbox: z.string().nullable().describe('label of the mailbox; null for none'),
  owner: WorkPerson.nullable().describe('null while it waits for an owner'),
  backup: WorkPerson.nullable().describe('person who takes it over, or took it over, when it is overdue'),
  assigned_at: OptionalTime,
  acknowledged_by: z.string().nullable(),
  acknowledged_at: OptionalTime,
  escalated_at: OptionalTime,
  done_at: OptionalTime,
  done_by: z.string().nullable(),
  done_note: z.string().nullable(),
  duplicate_of: z
    .strictObject({ id: Id, available_at: Time })
    .nullable()
    .describe('first item with the same bytes, if the caller can see it'),
  is_mine: z.boolean(),
  overdue: z.boolean().describe('true if it is open and was not acknowledged by its due time'),
  is_test: z.boolean(),
  junk: z.boolean().describe('true if its fax is in Junk'),
  version: Version,
  actions: z.array(z.enum(WORK_ACTIONS)).describe('actions that the caller can take now'),
  may_note: z.boolean().describe('true if the caller can add a note'),
} as const;

export const WorkItem = z.strictObject(fields).meta({ id: 'WorkItem' });

export const WorkItemDetails = z
  .strictObject({
    ...fields,
    owner_can_see: z
      .boolean()
      .nullable()
      .describe(
        'false if the owner lost access, was disabled, or has not set a password; null without an owner',
      ),
    notes: z
      .array(z.strictObject({ text: z.string(), by: z.string(), at: Time }))
      .describe('notes added without finishing it, oldest first; without notes that were undone'),
    owner_change: z
      .strictObject({
        at: Time,
        by: z.string().describe('name of the person or integration, or Faxdesk'),
        by_me: z.boolean(),
        from_me: z.boolean().describe('true if the caller was the owner before'),
      })
      .nullable()
      .describe('change that assigned the current owner; null if it never had one'),
  })
  .meta({ id: 'WorkItemDetails' });

export const WorkCounts = z
  .strictObject({
    open: Count,
    acknowledged: Count,
    done: Count,
    unassigned: Count.describe('number of open items without an owner'),
    mine: Count.describe('number of open or acknowledged items of the caller'),
    overdue: Count,
    todo: Count.describe('number of open or acknowledged items of the caller or without an owner'),
  })
  .describe('counts of the items that the caller can see, each up to 10,000')
  .meta({ id: 'WorkCounts' });

export const WorkHistory = z
  .strictObject({
    events: z
      .array(
        z.strictObject({
          kind: z.enum(WORK_HISTORY_KINDS),
          occurred_at: Time,
          actor: z.string(),
          text: z.string().describe('sentence for people'),
          actor_id: z.string().nullable().describe('null for the gateway'),
          owner: WorkPerson.nullable().describe('owner of the item after the event'),
          version: Version.describe('version of the item after the event'),
        }),
      )
      .describe('oldest first'),
  })
  .meta({ id: 'WorkHistory' });

export const WorkNote = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.noteLength)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .describe('one line');

export const WorkNotes = z
  .strictObject({
    sentences: z
      .array(z.string())
      .max(LIMITS.noteSentences)
      .describe('most used first, then those of the setting `WORK_NOTES`'),
    last: z.string().nullable().describe('note of the last item that the caller finished'),
  })
  .meta({ id: 'WorkNotes' });

const ITEMS = z.array(EntityRef).min(1).max(LIMITS.workTogether);
/** Action on several items. */
export const WorkChanges = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('assign'), principal_id: Id, items: ITEMS }),
    z.strictObject({ action: z.literal('acknowledge'), items: ITEMS }),
    z.strictObject({ action: z.literal('done'), note: WorkNote, items: ITEMS }),
    z.strictObject({ action: z.literal('note'), note: WorkNote, items: ITEMS }),
    z.strictObject({ action: z.literal('reopen'), items: ITEMS }),
  ])
  .meta({ id: 'WorkChangesIn' });
