import { z } from 'zod';

/** Payload of work without any. */
export const Nothing = z.strictObject({});
