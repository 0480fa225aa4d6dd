import { z } from 'zod';
import { BACKUP_PERMISSIONS } from '../permissions.ts';
import { defineRoute } from './route.ts';

const room = 'archives';

/** First year of an archive: no fax was stored before it. */
const FIRST_YEAR = 1980;
const LAST_YEAR = 9999;

export const archivesRoutes = {
  exportArchive: defineRoute({
    id: 'exportArchive',
    room,
    method: 'GET',
    path: '/archives/:year',
    summary: 'Export the archive of a year that is over',
    description: `A signed zip with the finished sent and received faxes of the year, or of one month of it: their documents, histories, attempts, evidence and work items, as this API shows them. Nothing is deleted. It is made while it is read, so its length is not known before. Also requires ${BACKUP_PERMISSIONS.join(' and ')} for the whole installation. \`docs/archives.md\` describes its content.`,
    access: 'work:export',
    audited: { operation: 'archive.export', target: 'archive', param: 'year' },
    params: z.strictObject({
      year: z.coerce
        .number()
        .int()
        .min(FIRST_YEAR)
        .max(LAST_YEAR)
        .describe('year by the clocks of the office'),
    }),
    query: z.strictObject({
      month: z.coerce
        .number()
        .int()
        .min(1)
        .max(12)
        .optional()
        .describe('1 to 12; the whole year if left out'),
    }),
    answer: { status: 200, contentType: 'application/zip' },
    refusals: ['archive_not_over', 'other_data_key', 'setting_opens_more'],
  }),
} as const;
