import { z } from 'zod';

/** Every refusal carries one sentence a person understands; its code is in the header `X-Error-Code`. */
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
