import { z } from 'zod';
import type { RawBody } from '../../../../shared/api/route.ts';

const Fax = z
  .looseObject({
    id: z.string().describe('id of the fax at the provider'),
    direction: z.string().optional(),
    from: z.string().nullish(),
    to: z.string().nullish(),
    numberOfPages: z.number().nullish(),
    status: z.string().nullish(),
    completedTime: z.string().nullish().describe('RFC 3339'),
    projectId: z.string().nullish(),
  })
  .meta({ id: 'CloudtwoFax' });

const event = z.string().describe('INCOMING_FAX; every other event is acknowledged and ignored');
const eventTime = z.string().optional().describe('RFC 3339');
const fileType = z.string().optional().describe('PDF');

/** Body of the provider's notification of a received fax: JSON, or the same as a form. */
export const notificationBody: RawBody = {
  json: z
    .looseObject({
      event,
      eventTime,
      fax: z.union([Fax, z.string().meta({ contentMediaType: 'application/json' })]).optional(),
      file: z.string().optional().meta({ contentEncoding: 'base64', description: 'the document as a PDF' }),
      fileType,
    })
    .meta({ id: 'CloudtwoNotification' }),
  form: {
    fields: z.looseObject({
      event,
      eventTime,
      fax: z
        .string()
        .optional()
        .meta({ contentMediaType: 'application/json', description: 'JSON of the fax as CloudtwoFax' }),
      fileType,
    }),
    files: { file: { description: 'The document as a PDF', required: false, repeated: false } },
  },
};

export const notificationSecurity = {
  name: 'cloudtwoNotification',
  description:
    'User and password from CLOUDTWO_INBOUND_BASIC_USER and CLOUDTWO_INBOUND_BASIC_PASS, if both are set. Without them, Faxdesk looks up the fax at the provider.',
} as const;
