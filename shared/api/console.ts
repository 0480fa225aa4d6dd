import { z } from 'zod';
import { JOB_KINDS } from '../job-kinds.ts';
import { BACKUP_PERMISSIONS } from '../permissions.ts';
import { REPORT_PROBLEM_KINDS } from '../report-problems.ts';
import { DELIVERY_STATES } from '../states/outbound.ts';
import { contextRoute } from './console-context.ts';
import { ConsoleChanges, EventId } from './console-events.ts';
import { installationRoutes, SENDING_STATES } from './console-installation.ts';
import { defineRoute } from './route.ts';
import { BackendName, Cursor, ListLimit, OptionalTime, pageOf, Time } from './values.ts';

const Count = z.number().int().min(0);

const BACKUP_STATES = ['running', 'done', 'failed'] as const;

export const Backup = z
  .strictObject({
    name: z.string(),
    daily: z.boolean().describe('made because the day came; only those are removed by BACKUP_KEEP'),
    state: z.enum(BACKUP_STATES),
    created_at: Time,
    finished_at: OptionalTime,
    size_bytes: Count.nullable().describe('null until it is done'),
    sha256: z.string().length(64).nullable().describe('of the whole file; null until it is done'),
    sentence: z.string().nullable().describe('why it failed, how far it is, or what it lacks'),
  })
  .meta({ id: 'Backup' });

export const BackupList = z
  .strictObject({
    folder: z.string(),
    daily_at: z.string().nullable().describe('the hour of the daily backup, such as 02:00; null without one'),
    keep: z.number().int().min(1).describe('how many daily backups are kept'),
    problem: z
      .string()
      .nullable()
      .describe('why no daily backup was made, or what the last one lacks; null when all is well'),
    items: z.array(Backup).describe('newest first'),
  })
  .meta({ id: 'BackupList' });

export const ConsoleStatus = z
  .strictObject({
    release: z.string(),
    node: z.string(),
    platform: z.string(),
    started_at: Time,
    listening: z.string().describe('http://host:port'),
    https_problem: z
      .string()
      .nullable()
      .describe('what of HTTPS does not work as it is set, and why; also among the warnings'),
    data_folder: z.string(),
    database: z.enum(['sqlite', 'postgres']),
    store_bytes: Count,
    free_bytes: Count.nullable().describe('on the disk of the data folder'),
    problems: z.array(z.string()).describe('why the gateway cannot take faxes; empty when it can'),
    warnings: z.array(z.string()).describe('what somebody should look at although faxes are taken'),
    report_problems: z
      .array(
        z.strictObject({
          backend: BackendName,
          problem: z.enum(REPORT_PROBLEM_KINDS),
          count: Count.describe('in all'),
          last_at: Time,
        }),
      )
      .describe('notifications that were refused, and what providers did not report'),
    faxes: z.partialRecord(z.enum(DELIVERY_STATES), Count).describe('by delivery_state'),
    last_delivered_at: OptionalTime.describe(
      'of the newest fax that was delivered, other than to one of our own numbers without a call',
    ),
    receiving: z
      .strictObject({ state: z.enum(SENDING_STATES), sentence: z.string().nullable() })
      .describe('whether faxes can come in'),
    last_received_at: OptionalTime.describe('of the newest fax that came in'),
    waiting: z
      .record(z.string(), Count)
      .describe(`background work by kind: ${Object.keys(JOB_KINDS).join(', ')}`),
    last_backup: Backup.nullable().describe('the newest whole one'),
  })
  .meta({ id: 'ConsoleStatus' });

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;

export const LogLine = z
  .strictObject({
    id: z.string(),
    at: OptionalTime,
    level: z.enum(LOG_LEVELS),
    room: z.string().nullable(),
    message: z.string(),
    facts: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'LogLine' });

const BackupParams = z.strictObject({ name: z.string().min(1).max(80) });
const room = 'console';

export const consoleRoutes = {
  context: contextRoute,
  events: defineRoute({
    id: 'consoleEvents',
    room,
    method: 'GET',
    path: '/console/events',
    summary: 'What changes, as it happens (server-sent events)',
    description: `Each event has the \`kind\` as its name, an id, and JSON with ids and versions as its data: \`fax.changed\`
\`{id, delivery_version}\` (needs \`fax:read\` where the fax is, or to be its sender), \`inbound.changed\` \`{id, version}\`
(needs \`inbound:list\` where the fax is), \`work.changed\` \`{id, version}\` (needs \`work:read\` where the fax is),
\`settings.changed\` \`{generation}\` (needs \`settings:read\`) and
\`installation.changed\` \`{}\`, which everybody hears: some setting changed, so read again what \`/console/installation\`
and the counts of faxes say.
\`Last-Event-ID\`, or \`after\`, resumes without a gap; when that is not possible the first event is \`reset\` with the
data \`{}\`, and what is shown must be read again. A message without a name, with the data \`{}\`, only brings the id to
resume from: it comes first, and about every 2 seconds with a \`: ping\` comment: who receives
nothing for 5 seconds is not connected. The stream ends when the session or key
ends. Where streams do not get through, \`/console/changes\` tells the same.`,
    access: 'signed-in',
    passive: true,
    query: z.strictObject({ after: EventId.optional() }),
    headers: { 'Last-Event-ID': 'the last id that was seen' },
    answer: { status: 200, contentType: 'text/event-stream' },
    refusals: ['not_allowed', 'rate_limited', 'stopping'],
  }),
  changes: defineRoute({
    id: 'consoleChanges',
    room,
    method: 'GET',
    path: '/console/changes',
    summary: 'What changed after an event, at once',
    description: 'Without `after` it answers no event and where to begin.',
    access: 'signed-in',
    passive: true,
    query: z.strictObject({ after: EventId.optional() }),
    answer: { status: 200, schema: ConsoleChanges },
    refusals: ['not_allowed'],
  }),
  ...installationRoutes,
  draftKey: defineRoute({
    id: 'consoleDraftKey',
    room,
    method: 'GET',
    path: '/console/draft-key',
    summary: 'The key that a console seals the drafts of this caller with',
    description:
      'Always the same for one person, and known to the gateway alone: what a browser keeps of a draft opens only for who is signed in as that person.',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z.strictObject({ key: z.string().length(43).describe('256 bits as base64url') }),
    },
  }),
  status: defineRoute({
    id: 'consoleStatus',
    room,
    method: 'GET',
    path: '/console/status',
    summary: 'Health, storage and work of the gateway',
    access: 'diagnostics:read',
    answer: { status: 200, schema: ConsoleStatus },
  }),
  logs: defineRoute({
    id: 'consoleLogs',
    room,
    method: 'GET',
    path: '/console/logs',
    summary: 'The log of this gateway, newest first',
    description:
      'A search that looked through a large part of the log answers what it found so far; `next_cursor` goes on, also after a page without lines.',
    access: 'logs:read',
    query: z.strictObject({
      level: z.enum(LOG_LEVELS).default('debug').describe('this level or a more serious one'),
      q: z.string().max(200).optional().describe('a text that the line holds, in any case'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(LogLine) },
  }),
  logFile: defineRoute({
    id: 'consoleLogFile',
    room,
    method: 'GET',
    path: '/console/logs/file',
    summary: 'The whole log, oldest line first, one JSON object a line',
    access: 'logs:read',
    answer: { status: 200, contentType: 'application/x-ndjson' },
  }),
  backups: defineRoute({
    id: 'listBackups',
    room,
    method: 'GET',
    path: '/console/backups',
    summary: 'The backups in the backup folder, and the one being made',
    access: 'diagnostics:read',
    answer: { status: 200, schema: BackupList },
  }),
  makeBackup: defineRoute({
    id: 'makeBackup',
    room,
    method: 'POST',
    path: '/console/backups',
    summary: 'Begin a backup; it goes on after the answer',
    access: 'settings:write',
    audited: { operation: 'backup.make', target: 'backup' },
    answer: { status: 202, schema: Backup },
    refusals: ['backup_running', 'backup_folder_unusable'],
  }),
  backup: defineRoute({
    id: 'readBackup',
    room,
    method: 'GET',
    path: '/console/backups/:name',
    summary: 'The state of one backup',
    access: 'diagnostics:read',
    params: BackupParams,
    answer: { status: 200, schema: Backup },
    refusals: ['no_such_backup'],
  }),
  restoreBackup: defineRoute({
    id: 'restoreBackup',
    room,
    method: 'POST',
    path: '/console/backups/:name/restore',
    summary: 'Stop, put a backup in the place of everything there is, and start again',
    description:
      'It goes on after the answer: the gateway stops, restores and starts again at the same address. What was there before is moved aside, not removed. When the backup cannot be restored, the gateway starts again as it was, and `/console/status` says why among the warnings.',
    access: 'owner:recover',
    audited: { operation: 'backup.restore', target: 'backup', param: 'name' },
    params: BackupParams,
    answer: { status: 202, schema: z.strictObject({ ok: z.literal(true) }) },
    refusals: ['no_such_backup', 'backup_running', 'restore_not_here'],
  }),
  backupFile: defineRoute({
    id: 'downloadBackup',
    room,
    method: 'GET',
    path: '/console/backups/:name/file',
    summary: 'A whole backup as a file',
    description:
      'It holds every document, the data key and the installation key: who has it can become owner of the installation. Therefore it takes the permission to recover ownership, which only owners have.',
    access: 'owner:recover',
    audited: { operation: 'backup.download', target: 'backup', param: 'name' },
    params: BackupParams,
    answer: { status: 200, contentType: 'application/zip' },
    refusals: ['no_such_backup'],
  }),
  removeBackup: defineRoute({
    id: 'removeBackup',
    room,
    method: 'DELETE',
    path: '/console/backups/:name',
    summary: 'Remove a backup for good',
    description: `Takes ${BACKUP_PERMISSIONS.join(' and ')} for the whole installation as well: it holds all of that.`,
    access: 'settings:write',
    audited: { operation: 'backup.remove', target: 'backup', param: 'name' },
    params: BackupParams,
    answer: { status: 200, schema: z.strictObject({ ok: z.literal(true) }) },
    refusals: ['no_such_backup', 'backup_unfinished', 'setting_opens_more'],
  }),
} as const;
