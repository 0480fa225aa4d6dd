import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { WORK_LIST_STATES } from '../states/work.ts';
import { defineRoute } from './route.ts';
import { Cursor, Id, IdList, IdParams, pageOf, queryList, UpdatedSince, Version } from './values.ts';
import { WorkPerson, WorkSettingsAnswer, WorkSettingsChange } from './work-settings.ts';
import {
  WORK_VIEWS,
  WorkChanges,
  WorkCounts,
  WorkHistory,
  WorkItem,
  WorkItemDetails,
  WorkNote,
  WorkNotes,
} from './work-shapes.ts';

const room = 'work';
const SEEN = z.strictObject({ version: Version });
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
          'todo: open or acknowledged items of the caller or without an owner; mine: items of the caller; unassigned: open items without an owner; overdue: open items past the due time; done: finished items',
        ),
      state: queryList(WORK_LIST_STATES)
        .optional()
        .describe(
          `one or more of ${WORK_LIST_STATES.join(', ')}, the values of \`state\` and \`state_key\`; repeat the parameter or use commas`,
        ),
      mailbox: z.string().min(1).max(100).optional().describe('label or id of a mailbox'),
      q: z
        .string()
        .max(LIMITS.searchLength)
        .optional()
        .describe(
          'part of the sender’s number or name, of a note, the mailbox label, or the subject, reference or type of the fax, or the day the document was filed; a search through very many items may return only the results found so far: continue with `next_cursor`, even after a page without items',
        ),
      updated_since: UpdatedSince.optional(),
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
    id: 'getWorkSettings',
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
    id: 'getWorkNotes',
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
    body: WorkChanges,
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
    id: 'getWorkHistory',
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
    id: 'listWorkAssignees',
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
    body: z.strictObject({ note: WorkNote, version: Version }),
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
    body: z.strictObject({ note: WorkNote, version: Version }),
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
