import { defineRoute } from './route.ts';
import { IdParams } from './values.ts';

const room = 'work';

export const workExportRoutes = {
  exportWork: defineRoute({
    id: 'exportWork',
    room,
    method: 'GET',
    path: '/work/:id/export',
    summary: 'The evidence archive of a work item',
    description:
      'A signed zip: `manifest.json`, `history.txt`, and `original.pdf` where the caller holds `inbound:document` on the document; what is missing is named in the manifest. The same unchanged item gives the same manifest but for its `export`. The export is recorded in the history, and the item keeps its version. `docs/evidence.md` describes how it is checked.',
    access: 'work:export',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, contentType: 'application/zip' },
    refusals: ['no_such_work_item', 'work_item_changed', 'document_unreadable', 'other_data_key'],
  }),
} as const;
