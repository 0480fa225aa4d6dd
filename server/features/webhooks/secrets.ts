import { randomBytes } from 'node:crypto';
import { isoTime } from '../../platform/clock.ts';
import type { WebhookParts } from './parts.ts';
import type { EndpointRow } from './types.ts';

const PREFIX = 'whsec_';
const BYTES = 32;

const contextOf = (endpointId: string) => `webhook_endpoint.secret:${endpointId}`;

/** Creates a secret as receivers are given it: `whsec_` and base64. */
export const newSecret = (): string => `${PREFIX}${randomBytes(BYTES).toString('base64')}`;

/** Seals a secret for storage with an endpoint. Throws SealError. */
export function sealSecret({ seal }: Pick<WebhookParts, 'seal'>, endpointId: string, secret: string): string {
  return seal.seal(secret, contextOf(endpointId));
}

/** Returns the secrets that sign a message now: the present one first, then a former one until its end. Throws SealError. */
export function signingSecrets(
  { seal, clock }: Pick<WebhookParts, 'seal' | 'clock'>,
  { id, secret, former_secret, former_until }: EndpointRow,
): string[] {
  const isFormerValid = former_until !== null && former_until > isoTime(clock.now());
  const sealed = isFormerValid && former_secret !== null ? [secret, former_secret] : [secret];
  return sealed.map((one) => seal.open(one, contextOf(id)));
}
