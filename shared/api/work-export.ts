import { defineRoute } from './route.ts';
import { IdParams } from './values.ts';

const room = 'work';

export const workExportRoutes = {
  exportWork: defineRoute({
    id: 'exportWork',
    room,
    method: 'GET',
    path: '/work/:id/export',
    summary: 'Export the evidence archive of a work item',
    description:
      'A signed zip with `manifest.json`, `history.txt`, and `original.pdf` if the caller has `inbound:document` on the document. The manifest lists anything that is missing. An unchanged item always gives the same manifest, except for `export`. The export is recorded in the history, and the item keeps its version. `docs/evidence.md` describes how to check an archive.',
    access: 'work:export',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, contentType: 'application/zip' },
    refusals: ['no_such_work_item', 'work_item_changed', 'document_unreadable', 'other_data_key'],
  }),
} as const;
