import { z } from 'zod';
import { wireAmount, wireDecimal, wireMoment, wireText } from '../wire-values.ts';

const identifier = z
  .union([z.string().regex(/^\d{1,20}$/u), z.number().int().nonnegative()])
  .transform(String);

const recipientSchema = z.object({
  phone_number: wireText,
  number: wireText,
  status: wireText,
  completed_at: wireMoment,
  bitrate: wireAmount,
  retry_count: wireAmount,
  error_type: wireText,
  error_id: wireAmount,
  error_message: wireText,
});

/** A fax as GET /faxes/{id} and the callbacks show it. Only an id and a status are indispensable. */
export const faxSchema = z.object({
  id: identifier,
  status: z.string().min(1).max(60),
  direction: wireText,
  is_test: wireText,
  num_pages: wireAmount,
  cost: wireDecimal,
  created_at: wireMoment,
  completed_at: wireMoment,
  from_number: wireText,
  to_number: wireText,
  recipients: z.array(recipientSchema).nullish(),
  error_id: wireAmount,
  error_type: wireText,
  error_message: wireText,
});

export type WireFax = z.infer<typeof faxSchema>;
export type WireRecipient = z.infer<typeof recipientSchema>;

/** The envelope of every JSON answer. */
export const envelopeSchema = z.object({
  success: z.boolean(),
  message: z.string().nullish(),
  data: z.unknown().optional(),
  paging: z.object({ total: z.number(), per_page: z.number(), page: z.number() }).nullish().catch(null),
});

/** `data` of an accepted POST /faxes. */
export const acceptedSchema = z.object({ id: identifier });

/** `data` of GET /account/status; the balance is in cents (USD). */
export const accountSchema = z.object({ balance: z.number() });
