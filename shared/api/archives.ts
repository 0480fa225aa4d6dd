import { z } from 'zod';
import { ARCHIVE_PERMISSIONS } from '../permissions.ts';
import { ArchiveMonth, ArchiveYear, archiveRemovalRoutes } from './archives-removal.ts';
import { defineRoute } from './route.ts';

const room = 'archives';

export const archivesRoutes = {
  ...archiveRemovalRoutes,
  exportArchive: defineRoute({
    id: 'exportArchive',
    room,
    method: 'GET',
    path: '/archives/:year',
    summary: 'Export the archive of a year that is over',
    description: `A signed zip with the finished sent and received faxes of the year, or of one month of it: their documents, histories, attempts, evidence, calls, e-mails and work items, and a copy of the security audit. Nothing is deleted. It is made while it is read, so its length is not known before. Also requires ${ARCHIVE_PERMISSIONS.join(', ')} for the whole installation. \`docs/archives.md\` describes its content.`,
    access: 'work:export',
    audited: { operation: 'archive.export', target: 'archive', param: 'year' },
    params: z.strictObject({ year: ArchiveYear }),
    query: z.strictObject({ month: ArchiveMonth.optional() }),
    answer: { status: 200, contentType: 'application/zip' },
    refusals: ['archive_not_over', 'other_data_key', 'setting_opens_more'],
  }),
} as const;
