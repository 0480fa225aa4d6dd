import { z } from 'zod';

/** The vendor's JSON differs between its versions (numbers or text, null or absent), so reading is lenient in form. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish();
const identifier = z
  .union([z.string().regex(/^\d{1,20}$/u), z.number().int().nonnegative()])
  .transform(String);
const amount = z
  .union([z.number(), z.string()])
  .transform((value) => (value === '' ? null : Number(value)))
  .refine((value) => value === null || Number.isFinite(value))
  .nullish();
/** RFC 3339 text; the oldest callbacks hold epoch seconds. */
const moment = z.union([z.string(), z.number()]).nullish();

const recipientSchema = z.object({
  phone_number: text,
  number: text,
  status: text,
  completed_at: moment,
  bitrate: amount,
  error_type: text,
  error_id: amount,
  error_message: text,
});

/** A fax as GET /faxes/{id} and the callbacks show it. Only an id and a status are indispensable. */
export const faxSchema = z.object({
  id: identifier,
  status: z.string().min(1).max(60),
  direction: text,
  num_pages: amount,
  cost: amount,
  completed_at: moment,
  to_number: text,
  recipients: z.array(recipientSchema).nullish(),
  error_id: amount,
  error_type: text,
  error_message: text,
});

export type WireFax = z.infer<typeof faxSchema>;
export type WireRecipient = z.infer<typeof recipientSchema>;

/** The envelope of every JSON answer. */
export const envelopeSchema = z.object({
  success: z.boolean(),
  message: z.string().nullish(),
  data: z.unknown().optional(),
});

/** `data` of an accepted POST /faxes. */
export const acceptedSchema = z.object({ id: identifier });

/** `data` of GET /account/status; the balance is in cents (USD). */
export const accountSchema = z.object({ balance: z.number() });
