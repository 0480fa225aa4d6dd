import { z } from 'zod';

/** Every refusal carries one sentence a person understands. */
export const ErrorAnswer = z.strictObject({ detail: z.string() }).meta({ id: 'AuthErrorResponse' });

/** A body that does not fit its schema. */
export const InvalidBodyAnswer = z
  .strictObject({
    detail: z.array(
      z.strictObject({
        loc: z.array(z.union([z.string(), z.number().int()])),
        type: z.string(),
        msg: z.string(),
      }),
    ),
  })
  .meta({ id: 'InvalidBodyResponse' });

export const FIXED_MESSAGES = {
  noCredential: 'Sign in or send an API key.',
  badCredential: 'That credential is not valid.',
  notAllowed: 'You may not do that here.',
  noRoute: 'There is nothing at this address.',
  tooMany: 'Too many requests; wait a moment and try again.',
  tooLarge: 'The upload is larger than the limit.',
  unreadableBody: 'The request could not be read.',
  stale: 'This changed in the meantime; reload and try again.',
  noProvider: 'No fax provider set up yet.',
  badNumber: 'That fax number is incomplete or not valid.',
  noFax: 'There is no such fax.',
  noInbound: 'There is no such received fax.',
  notReceivedYet: 'The document has not been received yet.',
  otherRequest: 'That Idempotency-Key was used for a different request.',
} as const;
