import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { directPartnerRoutes } from './direct-partners.ts';
import { defineRoute } from './route.ts';
import { Time } from './values.ts';

const room = 'direct';

const PublicKey = z.string().length(43);

const DirectCard = z
  .strictObject({
    direct: z.literal(1).describe('version of direct delivery'),
    organization: z.string().max(LIMITS.direct.organization).describe('name of the organization'),
    fax_number: z.string().describe('its fax number, E.164'),
    endpoint: z.string().max(LIMITS.direct.endpoint).describe('base address of its gateway'),
    signing_key: PublicKey.describe('public Ed25519 key, base64url'),
    exchange_key: PublicKey.describe('public X25519 key, base64url'),
    signature: z.string().length(86).describe('signature over the canonical JSON of the rest, base64url'),
  })
  .meta({ id: 'DirectCard' });

const OwnDirectCard = z
  .strictObject({
    card: DirectCard.describe('card of this installation'),
    text: z.string().describe('the card as one line of text, also for a QR code'),
    fingerprint: z.string().describe('SHA-256 of the signing key in hex digits, for people to compare'),
    keys_made_at: Time.describe('time when the keys were made'),
  })
  .meta({ id: 'OwnDirectCard' });

const OFF = 'Answers 404 while DIRECT_DELIVERY_ENABLED is off.';
const cardRefusals = ['no_such_address', 'direct_incomplete', 'other_data_key'] as const;

export const directRoutes = {
  getCard: defineRoute({
    id: 'getDirectCard',
    room,
    method: 'GET',
    path: '/direct/card',
    summary: 'Get the card of this installation for partners',
    description: `The card is signed and contains no secrets. ${OFF}`,
    access: 'settings:read',
    answer: { status: 200, schema: OwnDirectCard },
    refusals: cardRefusals,
  }),
  getCardFile: defineRoute({
    id: 'getDirectCardFile',
    room,
    method: 'GET',
    path: '/direct/card/file',
    summary: 'Download the card of this installation as a text file',
    description: `The line of text that partners paste or open. ${OFF}`,
    access: 'settings:read',
    answer: { status: 200, contentType: 'text/plain' },
    refusals: cardRefusals,
  }),
  rotateKeys: defineRoute({
    id: 'rotateDirectKeys',
    room,
    method: 'POST',
    path: '/direct/card/rotate',
    summary: 'Make new keys for direct delivery',
    description: `Partners get the new keys in a statement signed with the former ones, which are accepted for 30 more days. ${OFF}`,
    access: 'settings:write',
    audited: { operation: 'direct.rotate', target: 'direct_identity' },
    answer: { status: 200, schema: OwnDirectCard },
    refusals: [...cardRefusals, 'stale'],
  }),
  ...directPartnerRoutes,
} as const;
