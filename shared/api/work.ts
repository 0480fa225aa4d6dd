import { z } from 'zod';
import { WORK_HISTORY_KINDS } from '../history-kinds.ts';
import { LIMITS } from '../limits.ts';
import {
  WORK_ACTIONS,
  WORK_DUE_SOURCES,
  WORK_LIST_STATES,
  WORK_STATE_KEYS,
  WORK_STATES,
} from '../states/work.ts';
import { ContactRef } from './contacts.ts';
import { defineRoute } from './route.ts';
import { Cursor, Id, IdList, IdParams, OptionalTime, pageOf, queryList, Time, Version } from './values.ts';
import { Hours, WorkPerson, WorkSettingsAnswer, WorkSettingsChange } from './work-settings.ts';

const Count = z.number().int().min(0);
const FaxNumber = z.string().max(40).nullable().describe('E.164; null if it was not reported');

/** Part of the queue to list. */
export const WORK_VIEWS = ['todo', 'mine', 'unassigned', 'overdue', 'all'] as const;
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

const Note = z
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

const room = 'work';
const SEEN = z.strictObject({ version: Version });
const ITEMS = z
  .array(z.strictObject({ id: Id, version: Version }))
  .min(1)
  .max(LIMITS.workTogether);
/** Action on several items. */
const ChangesIn = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('assign'), principal_id: Id, items: ITEMS }),
    z.strictObject({ action: z.literal('acknowledge'), items: ITEMS }),
    z.strictObject({ action: z.literal('done'), note: Note, items: ITEMS }),
    z.strictObject({ action: z.literal('note'), note: Note, items: ITEMS }),
    z.strictObject({ action: z.literal('reopen'), items: ITEMS }),
  ])
  .meta({ id: 'WorkChangesIn' });
const CHANGES = ['no_such_work_item', 'work_item_changed'] as const;

export const workRoutes = {
  listWork: defineRoute({
    id: 'listWork',
    room,
    method: 'GET',
    path: '/work',
    summary: 'List the work queue: open, acknowledged, done; first due first, then newest first',
    description: 'Returns the items that the caller can see. Done items are sorted newest first.',
    access: 'work:read',
    anywhere: true,
    query: z.strictObject({
      ids: IdList.optional(),
      view: z
        .enum(WORK_VIEWS)
        .default('all')
        .describe(
          'todo: open or acknowledged items of the caller or without an owner; mine: items of the caller; unassigned: open items without an owner; overdue: open items past the due time',
        ),
      state: queryList(WORK_LIST_STATES)
        .optional()
        .describe(
          `one or more of ${WORK_LIST_STATES.join(', ')}, the values of \`state\` and \`state_key\`; repeat the parameter or use commas`,
        ),
      mailbox: z.string().min(1).max(100).optional().describe('label or id of a mailbox'),
      q: z
        .string()
        .max(100)
        .optional()
        .describe(
          'part of the sender’s number or name, the note or the mailbox label, or the day the document was filed; a search through very many items may return only the results found so far: continue with `next_cursor`, even after a page without items',
        ),
      limit: z.coerce.number().int().min(1).max(LIMITS.listLimit.most).default(100),
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(WorkItem) },
  }),
  countWork: defineRoute({
    id: 'countWork',
    room,
    method: 'GET',
    path: '/work/counts',
    summary: 'Count work items',
    access: 'work:read',
    anywhere: true,
    answer: { status: 200, schema: WorkCounts },
  }),
  workSettings: defineRoute({
    id: 'workSettings',
    room,
    method: 'GET',
    path: '/work/settings',
    summary: 'List the acknowledgement targets and backup people of the mailboxes',
    access: 'mailboxes:read',
    answer: { status: 200, schema: WorkSettingsAnswer },
  }),
  changeWorkSettings: defineRoute({
    id: 'changeWorkSettings',
    room,
    method: 'PUT',
    path: '/work/settings',
    summary: 'Change acknowledgement targets and backup people',
    description:
      'All changes are made, or none. A new target applies to documents filed later. A backup person must already have access to the documents of the mailbox; this does not give access.',
    access: 'mailboxes:manage',
    audited: { operation: 'work_settings.change', target: 'mailbox' },
    body: WorkSettingsChange,
    answer: { status: 200, schema: WorkSettingsAnswer },
    refusals: ['no_such_mailbox', 'assignee_refused', 'work_item_changed'],
  }),
  workNotes: defineRoute({
    id: 'workNotes',
    room,
    method: 'GET',
    path: '/work/notes',
    summary: 'List suggested notes for a finished work item',
    description:
      'Returns notes used more than once in the last four weeks for items that the caller can see, and the sentences of the setting `WORK_NOTES`.',
    access: 'work:read',
    anywhere: true,
    answer: { status: 200, schema: WorkNotes },
  }),
  changeWork: defineRoute({
    id: 'changeWork',
    room,
    method: 'POST',
    path: '/work',
    summary: 'Change several work items in the same way: all of them, or none',
    description: 'If any item would be refused alone, the request is refused and nothing is changed.',
    access: 'work:read',
    anywhere: true,
    body: ChangesIn,
    answer: { status: 200, schema: z.strictObject({ items: z.array(WorkItem) }) },
    refusals: [
      ...CHANGES,
      'assignee_refused',
      'not_your_item',
      'item_of_another',
      'note_refused',
      'item_acknowledged',
      'item_done',
      'item_in_junk',
      'item_not_done',
    ],
  }),
  getWork: defineRoute({
    id: 'getWork',
    room,
    method: 'GET',
    path: '/work/:id',
    summary: 'Get a work item',
    access: 'work:read',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: WorkItemDetails },
    refusals: ['no_such_work_item'],
  }),
  workHistory: defineRoute({
    id: 'workHistory',
    room,
    method: 'GET',
    path: '/work/:id/history',
    summary: 'List the history of a work item with owners, actions and missed targets, oldest first',
    access: 'work:read',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: WorkHistory },
    refusals: ['no_such_work_item'],
  }),
  workAssignees: defineRoute({
    id: 'workAssignees',
    room,
    method: 'GET',
    path: '/work/:id/assignees',
    summary: 'List the people a work item can be assigned to',
    description:
      'Returns enabled people who have set their own password and have `work:read` and `inbound:read` on its document.',
    access: 'work:manage',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: z.strictObject({ people: z.array(WorkPerson) }) },
    refusals: ['no_such_work_item'],
  }),
  assignWork: defineRoute({
    id: 'assignWork',
    room,
    method: 'POST',
    path: '/work/:id/assign',
    summary: 'Assign a work item to a person',
    description:
      'This does not give them access. For a new owner, the acknowledgement is cleared, and a done item is open again. Assigning it to the current owner changes nothing.',
    access: 'work:manage',
    anywhere: true,
    params: IdParams,
    body: z.strictObject({ principal_id: Id, version: Version }).meta({ id: 'AssignIn' }),
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'assignee_refused', 'item_in_junk'],
  }),
  acknowledgeWork: defineRoute({
    id: 'acknowledgeWork',
    room,
    method: 'POST',
    path: '/work/:id/acknowledge',
    summary: 'Acknowledge a work item as its owner',
    access: 'work:read',
    anywhere: true,
    params: IdParams,
    body: SEEN,
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'not_your_item', 'item_acknowledged', 'item_done'],
  }),
  finishWork: defineRoute({
    id: 'finishWork',
    room,
    method: 'POST',
    path: '/work/:id/done',
    summary: 'Mark a work item as done, as its owner or with work:manage',
    access: 'work:read',
    anywhere: true,
    params: IdParams,
    body: z.strictObject({ note: Note, version: Version }),
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'item_of_another', 'item_done'],
  }),
  noteWork: defineRoute({
    id: 'noteWork',
    room,
    method: 'POST',
    path: '/work/:id/notes',
    summary: 'Add a note to a work item without finishing it',
    description:
      'Allowed for its owner and for callers with work:manage, in every state. The note stays in the history.',
    access: 'work:read',
    anywhere: true,
    params: IdParams,
    body: z.strictObject({ note: Note, version: Version }),
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'note_refused'],
  }),
  reopenWork: defineRoute({
    id: 'reopenWork',
    room,
    method: 'POST',
    path: '/work/:id/reopen',
    summary: 'Reopen a done work item',
    description: 'Its owner and its due time stay; the acknowledgement is cleared.',
    access: 'work:manage',
    anywhere: true,
    params: IdParams,
    body: SEEN,
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'item_not_done', 'item_in_junk'],
  }),
  undoWork: defineRoute({
    id: 'undoWork',
    room,
    method: 'POST',
    path: '/work/:id/undo',
    summary: 'Undo the caller’s last change to a work item',
    description:
      'Possible within 10 seconds if nothing else happened to the item. Owner, acknowledgement and note are restored, the history records the undo, and the due time does not change.',
    access: 'work:read',
    anywhere: true,
    params: IdParams,
    body: SEEN,
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'not_undoable', 'no_such_received_fax'],
  }),
} as const;
