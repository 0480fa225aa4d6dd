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
const FaxNumber = z.string().max(40).nullable().describe('E.164; null while nobody reported it');

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
      'the state in more detail: the first four are open; an item without an owner is waiting, also when overdue',
    ),
  state_text: z.string().describe('the same for a person'),
  due_at: OptionalTime.describe(
    'by when it is to be acknowledged; computed once, when the document was filed; null without a target',
  ),
  due_text: z
    .string()
    .nullable()
    .describe('how long until then at the time of the answer; null unless it is open'),
  due_hours: Hours.nullable(),
  due_source: z.enum(WORK_DUE_SOURCES).nullable().describe('whose target it is'),
  available_at: Time.describe('when the document was filed'),
  from_number: FaxNumber,
  contact: ContactRef.nullable().describe('whose the number of the sender is; needs contacts:read'),
  to_number: FaxNumber,
  pages: Count,
  incomplete: z.boolean().describe('pages of the document may be missing; `problem` says how many came'),
  problem: z.string().nullable().describe('one sentence for a person; null when all is well'),
  mailbox: z.string().nullable().describe('label of the mailbox; null for none'),
  owner: WorkPerson.nullable().describe('null while it waits for one'),
  backup: WorkPerson.nullable().describe('who takes it over, or took it over, when it is overdue'),
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
    .describe('the first item with the same bytes, where the caller sees it'),
  is_mine: z.boolean(),
  overdue: z.boolean().describe('open, and not acknowledged by its due time'),
  is_test: z.boolean(),
  version: Version,
  actions: z.array(z.enum(WORK_ACTIONS)).describe('what the caller may do now'),
  may_note: z.boolean().describe('the caller may add a note to it'),
} as const;

export const WorkItem = z.strictObject(fields).meta({ id: 'WorkItem' });

export const WorkItemDetails = z
  .strictObject({
    ...fields,
    owner_can_see: z
      .boolean()
      .nullable()
      .describe(
        'false when the owner lost access, was disabled, or has not set a password; null without an owner',
      ),
    notes: z
      .array(z.strictObject({ text: z.string(), by: z.string(), at: Time }))
      .describe('notes added without finishing it, oldest first; not those that were taken back'),
    owner_change: z
      .strictObject({
        at: Time,
        by: z.string().describe('person, integration or Faxdesk itself'),
        by_me: z.boolean(),
        from_me: z.boolean().describe('the caller owned it before'),
      })
      .nullable()
      .describe('change that gave it its present owner; null when it never had one'),
  })
  .meta({ id: 'WorkItemDetails' });

export const WorkCounts = z
  .strictObject({
    open: Count,
    acknowledged: Count,
    done: Count,
    unassigned: Count.describe('open without an owner'),
    mine: Count.describe('open or acknowledged, owned by the caller'),
    overdue: Count,
    todo: Count.describe('open or acknowledged, owned by the caller or by nobody'),
  })
  .describe('of what the caller sees; each is not counted past 10,000')
  .meta({ id: 'WorkCounts' });

export const WorkHistory = z
  .strictObject({
    events: z
      .array(
        z.strictObject({
          kind: z.enum(WORK_HISTORY_KINDS),
          occurred_at: Time,
          actor: z.string(),
          text: z.string().describe('one sentence for a person'),
          actor_id: z.string().nullable().describe('null for the gateway'),
          owner: WorkPerson.nullable().describe('owner of the item from then on'),
          version: Version.describe('of the item since then'),
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
      .describe('the most used first; then those of the setting `WORK_NOTES`'),
    last: z.string().nullable().describe('note of the item that the caller finished last'),
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
    summary: 'The work queue: open, acknowledged, done; what is due first, then the newest',
    description: 'Of the items that the caller may see. What is done comes newest first.',
    access: 'work:read',
    anywhere: true,
    query: z.strictObject({
      ids: IdList.optional(),
      view: z
        .enum(WORK_VIEWS)
        .default('all')
        .describe(
          'todo: open or acknowledged, owned by the caller or by nobody; mine: owned by the caller; unassigned: open without an owner; overdue: open past the due time',
        ),
      state: queryList(WORK_LIST_STATES)
        .optional()
        .describe(
          `one or more of ${WORK_LIST_STATES.join(', ')}, as \`state\` and \`state_key\` have them; repeated or with commas`,
        ),
      mailbox: z.string().min(1).max(100).optional().describe('label or id of a mailbox'),
      q: z
        .string()
        .max(100)
        .optional()
        .describe(
          'a part of the number or name of the sender, of the note or of the label of the mailbox, or the day on which the document was filed; a search through very many items answers what it found so far, and `next_cursor` goes on, also after a page without items',
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
    summary: 'How many work items there are',
    access: 'work:read',
    anywhere: true,
    answer: { status: 200, schema: WorkCounts },
  }),
  workSettings: defineRoute({
    id: 'workSettings',
    room,
    method: 'GET',
    path: '/work/settings',
    summary: 'Acknowledgement targets and backup people of the mailboxes',
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
      'All or nothing. A target counts for documents that are filed later. A backup person must see the documents of the mailbox: being one gives no access.',
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
    summary: 'Sentences for the note of a finished work item',
    description:
      'Notes that were used more than once for items the caller may see, in the last four weeks, and the sentences of the setting `WORK_NOTES`.',
    access: 'work:read',
    anywhere: true,
    answer: { status: 200, schema: WorkNotes },
  }),
  changeWork: defineRoute({
    id: 'changeWork',
    room,
    method: 'POST',
    path: '/work',
    summary: 'Do the same to several work items: to all of them, or to none',
    description: 'Refused as each item alone would be; then nothing is written.',
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
      'item_not_done',
    ],
  }),
  getWork: defineRoute({
    id: 'getWork',
    room,
    method: 'GET',
    path: '/work/:id',
    summary: 'One work item',
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
    summary: 'Who owned a work item, what was done and what was missed, oldest first',
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
    summary: 'Who can own a work item',
    description:
      'Enabled people who have set their own password and hold `work:read` and `inbound:read` on its document.',
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
    summary: 'Give a work item to a person',
    description:
      'It gives them no access. Someone else takes over without the acknowledgement; what was done is open again. Its present owner again changes nothing.',
    access: 'work:manage',
    anywhere: true,
    params: IdParams,
    body: z.strictObject({ principal_id: Id, version: Version }).meta({ id: 'AssignIn' }),
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'assignee_refused'],
  }),
  acknowledgeWork: defineRoute({
    id: 'acknowledgeWork',
    room,
    method: 'POST',
    path: '/work/:id/acknowledge',
    summary: 'Acknowledge a work item, as its owner',
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
    summary: 'Mark a work item as done, as its owner or as who manages work there',
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
    description: 'By its owner or by who manages work there, in every state; the history keeps it.',
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
    summary: 'Open a work item again that is done',
    description: 'Its owner and its due time stay; the acknowledgement is cleared.',
    access: 'work:manage',
    anywhere: true,
    params: IdParams,
    body: SEEN,
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'item_not_done'],
  }),
  undoWork: defineRoute({
    id: 'undoWork',
    room,
    method: 'POST',
    path: '/work/:id/undo',
    summary: 'Take back one’s own last change of a work item',
    description:
      'Within 10 seconds, and while nothing else happened to the item: owner, acknowledgement and note are what they were, the history says that it was undone, and the due time never moves.',
    access: 'work:read',
    anywhere: true,
    params: IdParams,
    body: SEEN,
    answer: { status: 200, schema: WorkItem },
    refusals: [...CHANGES, 'not_undoable'],
  }),
} as const;
