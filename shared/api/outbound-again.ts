import { z } from 'zod';
import { PAGE_FORMS } from '../encoded-pages.ts';
import { LIMITS } from '../limits.ts';
import { aboutBodyFields } from './outbound-about-shapes.ts';
import { ACCEPTANCE_REFUSALS, MailboxName } from './outbound-sending.ts';
import { FaxJob } from './outbound-shapes.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './values.ts';

const room = 'outbound';

export const NO_FAX = ['no_such_fax', 'fax_archived'] as const;
/** Of a request that opens a stored document. */
export const STORED = ['document_gone', 'document_unreadable', 'document_damaged'] as const;

const resendFax = defineRoute({
  id: 'resendFax',
  room,
  method: 'POST',
  path: '/fax/:id/resend',
  summary: 'Send the same document again as a new fax',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  ownKey: true,
  body: z.strictObject({
    to: z.string().min(1).max(40).optional(),
    mailbox: MailboxName.optional(),
    ...aboutBodyFields,
    from_page: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('first page to send, for example to send only missing pages'),
    page_form: z
      .enum(PAGE_FORMS)
      .optional()
      .describe('form of the pages, as in `POST /fax`; that of the earlier fax if left out'),
  }),
  bodyOptional: true,
  badBody: 'sentence',
  answer: { status: 202, schema: FaxJob },
  refusals: [
    ...NO_FAX,
    'not_ended',
    'code_for_other_number',
    'no_such_page',
    'document_invalid',
    'document_too_large',
    ...STORED,
    ...ACCEPTANCE_REFUSALS,
  ],
});

const tryFaxAgain = defineRoute({
  id: 'tryFaxAgain',
  room,
  method: 'POST',
  path: '/fax/:id/try-again',
  summary: `Try a busy or unanswered number again in ${LIMITS.tryAgainMinutes} minutes, as a new fax`,
  description: 'A repeated request, or one for a fax that is already being tried again, returns that fax.',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  answer: { status: 202, schema: FaxJob },
  refusals: [...NO_FAX, 'not_unreached', ...STORED, ...ACCEPTANCE_REFUSALS],
});

/** Routes that send an earlier fax once more. */
export const againRoutes = { resendFax, tryFaxAgain } as const;
