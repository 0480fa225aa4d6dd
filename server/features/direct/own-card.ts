import { incomplete, noSuchAddress } from './errors.ts';
import type { OwnKeys } from './identity.ts';
import type { DirectParts, DirectSettings } from './parts.ts';
import { type Card, cardText, makeCard } from './wire/card.ts';
import { keyDigest } from './wire/keys.ts';

/** Card of this installation in the forms in which it is given to partners. */
export interface OwnCard {
  readonly card: Card;
  /** One line, also for the QR code. */
  readonly text: string;
  /** SHA-256 of the signing key, hex: what two people compare. */
  readonly fingerprint: string;
  /** ISO 8601 UTC. */
  readonly madeAt: string;
}

/** Throws the refusal `no_such_address` while direct delivery is off. */
export function assertEnabled(settings: Pick<DirectSettings, 'enabled'>): void {
  if (!settings.enabled()) throw noSuchAddress();
}

/**
 * Returns the card with the keys in force. Throws refusals while direct delivery is off (404) or a setting is missing (409),
 * and SealError.
 */
export async function readOwnCard({ settings, identity }: DirectParts): Promise<OwnCard> {
  assertEnabled(settings);
  return ownCard(settings, await identity.current());
}

/** Returns the card with these keys. Throws a 409 refusal when a setting is missing. */
export function ownCard(settings: DirectSettings, keys: OwnKeys): OwnCard {
  const card = makeCard(
    {
      organization: settings.organization() ?? missing('DIRECT_ORGANIZATION'),
      fax_number: settings.faxNumber() ?? missing('DIRECT_FAX_NUMBER'),
      endpoint: endpointOf(settings),
      signing_key: keys.signingKey,
      exchange_key: keys.exchangeKey,
    },
    keys.signing,
  );
  return { card, text: cardText(card), fingerprint: keyDigest(keys.signingKey), madeAt: keys.madeAt };
}

function endpointOf(settings: DirectSettings): string {
  const endpoint = settings.endpoint() ?? missing('PUBLIC_API_URL');
  if (endpoint.startsWith('https://') || settings.allowsPrivate()) return endpoint;
  throw incomplete(
    'The public address must begin with https:// so that partners can reach it (PUBLIC_API_URL).',
  );
}

const WORDS = {
  DIRECT_ORGANIZATION: 'Enter the organization on your card in Settings (DIRECT_ORGANIZATION).',
  DIRECT_FAX_NUMBER: 'Enter the fax number on your card in Settings (DIRECT_FAX_NUMBER).',
  PUBLIC_API_URL: 'Enter the public address in Settings (PUBLIC_API_URL): partners send documents there.',
} as const;

function missing(name: keyof typeof WORDS): never {
  throw incomplete(WORDS[name]);
}
