import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** Shapes that every room uses. */
export const Id = z.string().min(1).max(LIMITS.idLength);
export const Time = z.iso.datetime({ precision: 3 }).describe('ISO 8601 UTC with milliseconds');
export const OptionalTime = Time.nullable();
export const IdParams = z.strictObject({ id: Id });
export const Cursor = z.string().max(500);
const { least, most, default: usual } = LIMITS.listLimit;
export const ListLimit = z.coerce.number().int().min(least).max(most).default(usual);
/** A form field of a browser or script: `true`, `1`, `on` and `yes` mean true. */
export const FormFlag = z.stringbool({
  truthy: ['true', '1', 'on', 'yes'],
  falsy: ['false', '0', 'off', 'no', ''],
});
export const Version = z.number().int().min(1);

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() });
