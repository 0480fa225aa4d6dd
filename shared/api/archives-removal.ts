import { z } from 'zod';
import { ARCHIVE_PERMISSIONS } from '../permissions.ts';
import { STAYING_REASON_KEYS } from './archives-reasons.ts';
import { defineRoute } from './route.ts';
import { Id, IdParams, Time, Version } from './values.ts';

const room = 'archives';
const FIRST_YEAR = 1980;
const LAST_YEAR = 9999;

/** Length of the pieces in which an archive is handed over by the command line and the console. */
export const ARCHIVE_PIECE_BYTES = 4 * 1024 * 1024;

/**
 * `checking` reads the archive, `ready` waits for a person, `running` removes. `stopped` and `failed` ones leave what they have not
 * removed.
 */
const REMOVAL_STATES = ['checking', 'ready', 'running', 'stopped', 'done', 'failed'] as const;
export type RemovalState = (typeof REMOVAL_STATES)[number];

/** No archive is as long. */
const MAX_ARCHIVE_BYTES = 1_000_000_000_000;
const Count = z.number().int().min(0);
export const ArchiveYear = z.coerce
  .number()
  .int()
  .min(FIRST_YEAR)
  .max(LAST_YEAR)
  .describe('year by the clocks of the office');
export const ArchiveMonth = z.coerce
  .number()
  .int()
  .min(1)
  .max(12)
  .describe('1 to 12; the whole year if left out');
const Staying = z
  .strictObject({
    reason: z.enum(STAYING_REASON_KEYS).describe('reason why they stay'),
    words: z.string().describe('the reason in words'),
    faxes: Count.describe('number of faxes'),
  })
  .meta({ id: 'ArchiveStaying' });

export const ArchiveRemoval = z
  .strictObject({
    id: Id,
    year: z.number().int().describe('year of the archive'),
    month: z.number().int().nullable().describe('null for the whole year'),
    state: z.enum(REMOVAL_STATES).describe('`checking` and `running` change by themselves'),
    version: Version,
    problem: z
      .string()
      .nullable()
      .describe('why the archive cannot be used, as a sentence; null for no problem'),
    waiting: Count.describe('faxes that are to be removed and have not been'),
    removed: z
      .strictObject({ sent: Count.describe('sent faxes'), received: Count.describe('received faxes') })
      .describe('faxes that were removed'),
    staying: z
      .array(Staying)
      .describe('faxes of the archive that stay, by reason; every reason that keeps at least one'),
    gone: Count.describe('faxes of the archive that had been removed before'),
    not_archived: Count.nullable().describe(
      'faxes of the year or month that the archive does not have, which stay; null until it was checked',
    ),
    created_at: Time,
    created_by: z.string().describe('person who had the archive checked'),
    started_at: Time.nullable().describe('time of the last start; null before the first'),
    started_by: z.string().nullable().describe('person who started it last; null before the first start'),
    ended_at: Time.nullable().describe('time at which it ended or was stopped; null before'),
  })
  .meta({ id: 'ArchiveRemoval' });

const also = `Also requires ${['work:export', ...ARCHIVE_PERMISSIONS].join(', ')} for the whole installation.`;
const choice = {
  params: IdParams,
  body: z.strictObject({ version: Version }),
  answer: { status: 200, schema: ArchiveRemoval },
} as const;

export const archiveRemovalRoutes = {
  addArchivePiece: defineRoute({
    id: 'addArchivePiece',
    room,
    method: 'POST',
    path: '/archive-uploads/:id',
    summary: 'Hand over a piece of an archive whose faxes are to be removed',
    description: `The caller chooses the id, 32 lowercase hex digits, for each file. Its pieces follow one another, each no larger than an upload may be; the first one has the offset 0. The gateway keeps the file until it was checked or it restarts. ${also}`,
    access: 'owner:recover',
    audited: { operation: 'archive.check', target: 'archive', param: 'id' },
    params: IdParams,
    query: z.strictObject({
      offset: z.coerce
        .number()
        .int()
        .min(0)
        .max(MAX_ARCHIVE_BYTES)
        .default(0)
        .describe('place of the piece in the file, in bytes'),
    }),
    form: {
      fields: z.strictObject({}),
      files: { piece: { description: 'the piece', required: true, repeated: false } },
    },
    answer: {
      status: 200,
      schema: z
        .strictObject({
          upload_id: Id.describe('id of the upload, as the caller chose it'),
          size_bytes: Count.describe('length of all pieces so far'),
        })
        .meta({ id: 'ArchiveUpload' }),
    },
    refusals: [
      'archive_piece_misplaced',
      'archive_no_room',
      'no_such_archive_upload',
      'setting_opens_more',
      'disk_full',
    ],
  }),
  createArchiveRemoval: defineRoute({
    id: 'createArchiveRemoval',
    room,
    method: 'POST',
    path: '/archive-removals',
    summary: 'Check an archive whose faxes are to be removed',
    description: `Every byte of the archive is verified, and its faxes are compared with those in the store. Nothing is removed before \`/start\`: read the removal again until its state is \`ready\` or \`failed\`. ${also} \`docs/archives.md\` says which faxes stay.`,
    access: 'owner:recover',
    audited: { operation: 'archive.check', target: 'archive' },
    body: z.strictObject({
      upload_id: Id.describe('archive that was handed over'),
      year: ArchiveYear,
      month: ArchiveMonth.optional(),
    }),
    answer: { status: 201, schema: ArchiveRemoval },
    refusals: ['no_such_archive_upload', 'archive_removal_running', 'archive_not_over', 'setting_opens_more'],
  }),
  listArchiveRemovals: defineRoute({
    id: 'listArchiveRemovals',
    room,
    method: 'GET',
    path: '/archive-removals',
    summary: 'List the removals of archived faxes, newest first',
    access: 'owner:recover',
    answer: {
      status: 200,
      schema: z
        .strictObject({ removals: z.array(ArchiveRemoval).describe('newest first') })
        .meta({ id: 'ArchiveRemovals' }),
    },
  }),
  getArchiveRemoval: defineRoute({
    id: 'getArchiveRemoval',
    room,
    method: 'GET',
    path: '/archive-removals/:id',
    summary: 'Get a removal of archived faxes with its progress',
    access: 'owner:recover',
    params: IdParams,
    answer: { status: 200, schema: ArchiveRemoval },
    refusals: ['no_such_archive_removal'],
  }),
  startArchiveRemoval: defineRoute({
    id: 'startArchiveRemoval',
    room,
    method: 'POST',
    path: '/archive-removals/:id/start',
    summary: 'Remove the faxes of a checked archive for good, or go on after a stop',
    description: `They leave in small batches while the gateway works; a restart continues. Each fax is compared with the archive again. ${also}`,
    access: 'owner:recover',
    audited: { operation: 'archive.remove', target: 'archive' },
    ...choice,
    refusals: ['no_such_archive_removal', 'archive_removal_running', 'stale', 'setting_opens_more'],
  }),
  endArchiveRemoval: defineRoute({
    id: 'endArchiveRemoval',
    room,
    method: 'POST',
    path: '/archive-removals/:id/stop',
    summary: 'Stop a removal',
    description: 'What was removed stays removed. `/start` goes on later.',
    access: 'owner:recover',
    audited: { operation: 'archive.stop', target: 'archive' },
    ...choice,
    refusals: ['no_such_archive_removal', 'stale'],
  }),
} as const;
