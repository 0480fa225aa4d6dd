import { z } from 'zod';
import { JOB_KINDS } from '../job-kinds.ts';
import { BACKUP_PERMISSIONS } from '../permissions.ts';
import { REPORT_PROBLEM_KINDS } from '../report-problems.ts';
import { DELIVERY_STATES } from '../states/outbound.ts';
import { contextRoute } from './console-context.ts';
import { ConsoleChanges, EventId } from './console-events.ts';
import { installationRoutes, SENDING_STATES } from './console-installation.ts';
import { defineRoute } from './route.ts';
import { StorageState } from './storage.ts';
import { BackendName, Cursor, Done, ListLimit, OptionalTime, pageOf, Time } from './values.ts';

const Count = z.number().int().min(0);

const BACKUP_STATES = ['running', 'done', 'failed'] as const;

export const Backup = z
  .strictObject({
    name: z.string(),
    daily: z.boolean().describe('true for daily backups; BACKUP_KEEP removes only these'),
    encrypted: z.boolean().describe('true if it opens only with the identity of a recipient'),
    state: z.enum(BACKUP_STATES),
    created_at: Time,
    finished_at: OptionalTime,
    size_bytes: Count.nullable().describe('null until the backup is complete'),
    sha256: z
      .string()
      .length(64)
      .nullable()
      .describe('SHA-256 of the whole file; null until the backup is complete'),
    sentence: z.string().nullable().describe('reason for the failure, the progress, or missing content'),
  })
  .meta({ id: 'Backup' });

export const BackupList = z
  .strictObject({
    folder: z.string(),
    daily_at: z
      .string()
      .nullable()
      .describe('hour of the daily backup, such as 02:00; null without daily backups'),
    keep: z.number().int().min(1).describe('number of daily backups to keep'),
    recipients: z
      .array(z.string())
      .describe('public keys for which new backups are encrypted; empty if they are not'),
    problem: z
      .string()
      .nullable()
      .describe(
        'reason why there is no daily backup, or missing content of the last one; null if there is no problem',
      ),
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
      .describe('problem with HTTPS as set up, with the reason; also listed in the warnings'),
    data_folder: z.string(),
    libreoffice: z
      .string()
      .nullable()
      .describe(
        'path of LibreOffice, which converts DOCX, XLSX, ODT and HTML documents; null if it was not found or is switched off',
      ),
    database: z.enum(['sqlite', 'postgres']),
    document_storage: StorageState.describe('place of the documents'),
    store_bytes: Count,
    free_bytes: Count.nullable().describe('free space on the disk of the data folder'),
    problems: z.array(z.string()).describe('reasons why the gateway cannot accept faxes; empty if it can'),
    warnings: z.array(z.string()).describe('problems that need attention while faxes are still accepted'),
    report_problems: z
      .array(
        z.strictObject({
          backend: BackendName,
          problem: z.enum(REPORT_PROBLEM_KINDS),
          count: Count.describe('total number'),
          last_at: Time,
        }),
      )
      .describe('notifications that were refused, and reports that providers did not send'),
    faxes: z.partialRecord(z.enum(DELIVERY_STATES), Count).describe('number of faxes by delivery_state'),
    last_delivered_at: OptionalTime.describe(
      'time of the newest delivered fax, except without a call: to one of our own numbers, or directly to a partner',
    ),
    receiving: z
      .strictObject({ state: z.enum(SENDING_STATES), sentence: z.string().nullable() })
      .describe('ability to receive faxes'),
    last_received_at: OptionalTime.describe('time of the newest received fax'),
    waiting: z
      .record(z.string(), Count)
      .describe(`background work by kind: ${Object.keys(JOB_KINDS).join(', ')}`),
    last_backup: Backup.nullable().describe('the newest complete backup'),
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
const BackupIdentity = z
  .strictObject({
    identity: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe('content of the identity file that opens an encrypted backup; it is not stored'),
  })
  .meta({ id: 'BackupIdentity' });
const room = 'console';

export const consoleRoutes = {
  context: contextRoute,
  events: defineRoute({
    id: 'streamConsoleEvents',
    room,
    method: 'GET',
    path: '/console/events',
    summary: 'Stream changes as they happen (server-sent events)',
    description: `Each event has the \`kind\` as its name, an id, and JSON with ids and versions as its data: \`fax.changed\`
\`{id, delivery_version}\` (requires \`fax:read\` on the fax, or being its sender), \`inbound.changed\` \`{id, version}\`
(requires \`inbound:list\` on the fax), \`senders.changed\` \`{}\` (requires \`senders:block\`; a sender was blocked or
unblocked), \`work.changed\` \`{id, version}\` (requires \`work:read\` on the fax),
\`settings.changed\` \`{generation}\` (requires \`settings:read\`) and
\`installation.changed\` \`{}\`, which is sent to everyone: a setting changed, so read \`/console/installation\`
and the counts of faxes again.
\`Last-Event-ID\`, or \`after\`, resumes without a gap. If that is not possible, the first event is \`reset\` with the
data \`{}\`, and everything must be read again. A message without a name, with the data \`{}\`, only has the id to
resume from: it is sent first, and then about every 2 seconds with a \`: ping\` comment. A client that receives
nothing for 5 seconds is not connected. The stream ends when the session or key
ends. If streams are blocked, \`/console/changes\` returns the same events.`,
    access: 'signed-in',
    passive: true,
    query: z.strictObject({ after: EventId.optional() }),
    headers: { 'Last-Event-ID': 'id of the last event received' },
    answer: { status: 200, contentType: 'text/event-stream' },
    refusals: ['not_allowed', 'rate_limited', 'stopping'],
  }),
  changes: defineRoute({
    id: 'listConsoleChanges',
    room,
    method: 'GET',
    path: '/console/changes',
    summary: 'List the changes after an event',
    description: 'Without `after`, it returns no events, only the position to start from.',
    access: 'signed-in',
    passive: true,
    query: z.strictObject({ after: EventId.optional() }),
    answer: { status: 200, schema: ConsoleChanges },
    refusals: ['not_allowed'],
  }),
  ...installationRoutes,
  draftKey: defineRoute({
    id: 'getDraftKey',
    room,
    method: 'GET',
    path: '/console/draft-key',
    summary: 'Get the key that the console uses to encrypt the caller’s drafts',
    description:
      'The key is always the same for one person, and only the gateway stores it. A saved draft can be opened only by someone who is signed in as that person.',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z.strictObject({ key: z.string().length(43).describe('256 bits as base64url') }),
    },
  }),
  status: defineRoute({
    id: 'getConsoleStatus',
    room,
    method: 'GET',
    path: '/console/status',
    summary: 'Get health, storage and background work of the gateway',
    access: 'diagnostics:read',
    answer: { status: 200, schema: ConsoleStatus },
  }),
  logs: defineRoute({
    id: 'listConsoleLogs',
    room,
    method: 'GET',
    path: '/console/logs',
    summary: 'List the log of this gateway, newest first',
    description:
      'A search through a large log may return only the results found so far. Continue with `next_cursor`, even after a page without lines.',
    access: 'logs:read',
    query: z.strictObject({
      level: z.enum(LOG_LEVELS).default('debug').describe('this level and more serious ones'),
      q: z.string().max(200).optional().describe('text in the line; upper and lower case are the same'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(LogLine) },
  }),
  logFile: defineRoute({
    id: 'downloadConsoleLog',
    room,
    method: 'GET',
    path: '/console/logs/file',
    summary: 'Download the whole log, oldest line first, one JSON object per line',
    access: 'logs:read',
    answer: { status: 200, contentType: 'application/x-ndjson' },
  }),
  problemReport: defineRoute({
    id: 'downloadProblemReport',
    room,
    method: 'GET',
    path: '/console/problem-report',
    summary: 'Download a report of a problem, without personal data',
    description:
      'Releases, sizes, counts, faults by kind, settings without their texts, and the end of the log without sentences. It names no person, office, fax number, address, folder or document.',
    access: 'diagnostics:read',
    answer: { status: 200, contentType: 'text/plain; charset=utf-8' },
  }),
  backups: defineRoute({
    id: 'listBackups',
    room,
    method: 'GET',
    path: '/console/backups',
    summary: 'List the backups in the backup folder, including one in progress',
    access: 'diagnostics:read',
    answer: { status: 200, schema: BackupList },
  }),
  makeBackup: defineRoute({
    id: 'makeBackup',
    room,
    method: 'POST',
    path: '/console/backups',
    summary: 'Start a backup; it continues after the response',
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
    summary: 'Get the state of a backup',
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
    summary: 'Stop, replace everything with a backup, and start again',
    description:
      'It continues after the response: the gateway stops, restores the backup, and starts again at the same address. The previous data is moved aside, not removed. If the backup cannot be restored, the gateway starts again as it was, and the warnings of `/console/status` include the reason.',
    access: 'owner:recover',
    audited: { operation: 'backup.restore', target: 'backup', param: 'name' },
    params: BackupParams,
    body: BackupIdentity,
    bodyOptional: true,
    answer: { status: 202, schema: Done },
    refusals: ['no_such_backup', 'backup_running', 'restore_not_here', 'backup_not_opened'],
  }),
  backupFile: defineRoute({
    id: 'downloadBackup',
    room,
    method: 'GET',
    path: '/console/backups/:name/file',
    summary: 'Download a backup',
    description:
      'A backup contains every document, the data key and the installation key, so anyone who has it can become owner of the installation. This requires the permission to recover ownership, which only owners have.',
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
    summary: 'Permanently remove a backup',
    description: `Also requires ${BACKUP_PERMISSIONS.join(' and ')} for the whole installation, because a backup contains all of that.`,
    access: 'settings:write',
    audited: { operation: 'backup.remove', target: 'backup', param: 'name' },
    params: BackupParams,
    answer: { status: 200, schema: Done },
    refusals: ['no_such_backup', 'backup_unfinished', 'setting_opens_more'],
  }),
} as const;
