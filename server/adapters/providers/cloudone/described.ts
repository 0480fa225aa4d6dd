import { z } from 'zod';
import type { RawBody } from '../../../../shared/api/route.ts';

const Text = z.string().optional();
const SIGNATURE =
  'lowercase hexadecimal HMAC-SHA1, keyed with the callback token, over the exact address, then each field name with its ' +
  'value, sorted by name, then each name of a file part with the lowercase SHA-1 of its content, sorted by name';

/** The fields of a fax, when they come one by one. */
const FaxFields = {
  'fax[id]': Text.describe('id of the fax at the provider'),
  'fax[status]': Text.describe('e.g. success or failure'),
  'fax[direction]': Text.describe('sent or received'),
  'fax[num_pages]': Text,
  'fax[completed_at]': Text.describe('RFC 3339'),
};

const Common = {
  fax: z.string().optional().meta({
    contentMediaType: 'application/json',
    description:
      'JSON with id, direction, num_pages, status, from_number, to_number, completed_at and recipients. The same fields can be sent separately as `fax[id]`, `fax[status]` and so on.',
  }),
  direction: Text.describe('sent or received'),
  is_test: Text.describe('true or false'),
  success: Text.describe('true or false'),
  event_type: Text.describe('fax_completed, or an earlier event'),
};

const file = (description: string) => ({ file: { description, required: false, repeated: false } });

/** Body of the provider's callback about a sent fax. */
export const callbackBody: RawBody = {
  form: {
    fields: z.looseObject({ ...Common, ...FaxFields }),
    files: file('The document; it is not used'),
  },
};
export const callbackHeaders = {
  'X-Cloudone-Signature': { description: SIGNATURE, required: true },
} as const;

/** Body of the provider's notification of a received fax. */
export const notificationBody: RawBody = {
  form: { fields: z.looseObject({ ...Common, ...FaxFields }), files: file('The document as a PDF') },
};
export const notificationHeaders = {
  'X-Cloudone-Signature': `${SIGNATURE}; required unless CLOUDONE_INBOUND_VERIFY_SIGNATURE is false`,
} as const;
