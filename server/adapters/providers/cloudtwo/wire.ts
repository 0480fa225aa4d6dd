import { z } from 'zod';
import { utcTime, wireAmount, wireDecimal, wireMoment, wireText } from '../wire-values.ts';

/** Text that identifies a fax; anything else would not be an id of the vendor. */
export const faxId = z.string().regex(/^[\w-]{1,64}$/u);

/** A fax as the API and the webhooks show it. Only the id is indispensable. Absent fields are left out by the vendor. */
export const faxSchema = z.object({
  id: faxId,
  status: z.string().max(60).nullish(),
  direction: wireText,
  from: wireText,
  to: wireText,
  numberOfPages: wireAmount,
  pagesSentSuccessfully: wireAmount,
  retryCount: wireAmount,
  price: z.object({ currencyCode: z.string(), amount: wireDecimal }).nullish().catch(null),
  createTime: wireMoment,
  completedTime: wireMoment,
  errorType: wireText,
  /** Older versions write text or `errorId`. */
  errorCode: wireAmount.catch(null),
  errorId: wireAmount.catch(null),
  errorMessage: wireText,
  /** User and password are masked. */
  callbackUrl: wireText,
  projectId: wireText,
});

export type WireFax = z.infer<typeof faxSchema>;

/** One fax, alone, in an array, or under `faxes`: the vendor's pages and its client differ. Null when there is none. */
export function acceptedFaxOf(body: unknown): WireFax | null {
  const listed = z.object({ faxes: z.array(z.unknown()) }).safeParse(body);
  const faxes = listed.success ? listed.data.faxes : Array.isArray(body) ? body : [body];
  return faxes.length === 1 ? (faxSchema.safeParse(faxes[0]).data ?? null) : null;
}

/** `totalPages` decides whether there is more. */
export const listSchema = z.object({
  faxes: z.unknown(),
  totalPages: z.coerce.number().nullish().catch(null),
});

/** Fields of the services of a project that `Check connection` reads. */
export const servicesSchema = z.object({
  services: z.array(
    z.object({
      name: z.string().nullish(),
      id: z.string().nullish(),
      saveInboundFaxDocuments: z.boolean().nullish(),
    }),
  ),
});

/** The vendor's times are UTC, also where they bear no zone. */
export function timeOf(value: WireFax['createTime']): string | null {
  const bare = typeof value === 'string' && /T[\d:.]+$/u.test(value);
  return utcTime(bare ? `${value}Z` : value);
}
