import { z } from 'zod';
import { AboutChange, AboutProposal } from './outbound-about-shapes.ts';
import { NO_FAX } from './outbound-again.ts';
import { FaxJob } from './outbound-shapes.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './values.ts';

const room = 'outbound';

const describeFax = defineRoute({
  id: 'describeFax',
  room,
  method: 'POST',
  path: '/fax/:id/about',
  summary: 'Change subject, reference and document type of a sent fax',
  description: 'The history of the fax records the change. What was or will be sent stays as it is.',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  body: AboutChange,
  badBody: 'sentence',
  answer: { status: 200, schema: FaxJob },
  refusals: [...NO_FAX, 'stale'],
});

const proposeAbout = defineRoute({
  id: 'proposeAbout',
  room,
  method: 'GET',
  path: '/fax/about/proposal',
  summary: 'Propose subject, reference and document type from the last fax with a number',
  description:
    'Returns the values of the last fax with values that was sent to the number or received from it, among those that the caller can see; all null if there is none.',
  access: 'fax:send',
  anywhere: true,
  query: z.strictObject({ number: z.string().max(100).describe('as typed') }),
  answer: { status: 200, schema: AboutProposal },
});

/** Routes about subject, reference and document type of sent faxes. */
export const outboundAboutRoutes = { describeFax, proposeAbout } as const;
