import { z } from 'zod';
import { CoverFields } from '../../../shared/api/covers.ts';
import { aboutFormFields } from '../../../shared/api/outbound-about-shapes.ts';
import { MailboxName } from '../../../shared/api/outbound-sending.ts';
import { AnyTime, Id } from '../../../shared/api/values.ts';
import { GUARD_MODES } from '../../../shared/guard.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { SEND_WHEN } from '../../../shared/send-when.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../../../shared/visible-text.ts';

const COVER_LENGTH = 10_000;

/** Content of the .json beside a file of the send folder. */
export const SendManifest = z.strictObject({
  to: z.string().min(1).max(40).optional(),
  cover: z.string().max(COVER_LENGTH).optional(),
  cover_page: Id.optional(),
  cover_fields: CoverFields.optional(),
  title: z.string().max(LIMITS.titleLength).regex(VISIBLE_LINE, VISIBLE_RULE).optional(),
  mailbox: MailboxName.optional(),
  send_at: AnyTime.optional(),
  send_by: AnyTime.optional(),
  send_when: z.enum(SEND_WHEN).optional(),
  ...aboutFormFields,
  guard: z.enum(GUARD_MODES).optional(),
  idempotency_key: z
    .string()
    .min(1)
    .max(LIMITS.idempotencyKeyLength)
    .regex(VISIBLE_LINE, VISIBLE_RULE)
    .optional(),
});
