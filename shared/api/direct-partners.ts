import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { DIRECT_CARD_OUTCOMES, DIRECT_PARTNER_STATES } from '../states/direct.ts';
import { defineRoute } from './route.ts';
import { Done, Id, IdParams, OptionalTime, Time, Version } from './values.ts';

const room = 'direct';
const target = 'direct_partner';
const badBody = 'sentence';

const CardFacts = {
  organization: z.string().describe('name of the organization on its card'),
  fax_number: z.string().describe('fax number on its card, E.164'),
  endpoint: z.string().describe('base address of its gateway'),
  fingerprint: z.string().describe('SHA-256 of its signing key in hex digits, for people to compare'),
};

export const DirectPartner = z
  .strictObject({
    id: Id.describe('id of the partner'),
    ...CardFacts,
    state: z
      .enum(DIRECT_PARTNER_STATES)
      .describe(
        '`verified` once a code that one side faxed came back signed, for one year; `revoked` partners were removed',
      ),
    status: z.string().describe('state as a sentence, which says what is missing'),
    sends_directly: z
      .boolean()
      .describe('true if faxes to its number go directly: a code that was faxed to the number came back'),
    receives_directly: z.boolean().describe('true if documents that it sends directly are accepted'),
    code_sent: z.boolean().describe('true if a code that was faxed to it can still be typed there'),
    code_expires_at: OptionalTime.describe('end of that code'),
    code_fax_id: Id.nullable().describe('id of the fax with the last code'),
    verified_at: OptionalTime.describe('time of the check that lasts longest'),
    expires_at: OptionalTime.describe('end of that check'),
    number_confirmed_at: OptionalTime.describe('time when a code faxed to its number came back last'),
    number_expires_at: OptionalTime.describe('end of the check of its number'),
    confirmed_by_them_at: OptionalTime.describe('time when a code that it faxed was returned to it last'),
    renewal_due: z.boolean().describe('true if the check of its number ends within 30 days'),
    last_exchange_at: OptionalTime.describe('time of the last statement or document in either direction'),
    version: Version.describe('grows with every change'),
    created_at: Time.describe('time when it was added'),
    updated_at: Time.describe('time of the last change'),
  })
  .meta({ id: 'DirectPartner' });

export const AddedDirectPartner = z
  .strictObject({
    outcome: z
      .enum(DIRECT_CARD_OUTCOMES)
      .describe(
        '`renewed` if the partner was there and its card was replaced, `unchanged` with the same card, `checked` with `check_only`',
      ),
    sentence: z.string().describe('the outcome as a sentence'),
    card: z.strictObject(CardFacts).describe('contents of the card'),
    partner: DirectPartner.nullable().describe('the partner; null with `check_only`'),
  })
  .meta({ id: 'AddedDirectPartner' });

const partnerAnswer = { status: 200, schema: DirectPartner } as const;
/** The own card has to be complete first. */
const OWN_CARD = ['direct_incomplete'] as const;
const CHANGE = ['no_such_partner', 'stale'] as const;

const SignedStatement = z
  .strictObject({
    statement: z.looseObject({}).describe('statement, canonical JSON'),
    signature: z.string().describe('Ed25519 signature over the canonical JSON of the statement, base64url'),
  })
  .meta({ id: 'DirectStatement' });
const STATEMENT_REFUSALS = [
  'direct_unreadable',
  'direct_unknown_sender',
  'direct_bad_signature',
  'direct_not_taken',
  'too_large',
  'too_busy',
] as const;

export const directPartnerRoutes = {
  listPartners: defineRoute({
    id: 'listDirectPartners',
    room,
    method: 'GET',
    path: '/direct/peers',
    summary: 'List the partners of direct delivery, newest first',
    access: 'settings:read',
    answer: {
      status: 200,
      schema: z
        .strictObject({ items: z.array(DirectPartner).describe('all partners, removed ones included') })
        .meta({ id: 'DirectPartners' }),
    },
  }),
  addPartner: defineRoute({
    id: 'addDirectPartner',
    room,
    method: 'POST',
    path: '/direct/peers',
    summary: 'Add a partner by its card, or replace the card of one',
    description:
      'The signature of the card is verified, and its address is looked up: it must be public, unless DIRECT_ALLOW_PRIVATE_PEERS is on. A removed partner begins again.',
    access: 'settings:write',
    audited: { operation: 'partner.add', target },
    badBody,
    body: z
      .strictObject({
        card: z
          .string()
          .trim()
          .min(1)
          .max(2 * LIMITS.direct.cardBytes)
          .describe('the card as one line of text, or as JSON'),
        check_only: z.boolean().default(false).describe('true to check the card and add nothing'),
      })
      .meta({ id: 'DirectCardIn' }),
    answer: { status: 200, schema: AddedDirectPartner },
    refusals: [...OWN_CARD, 'card_refused', 'own_card', 'partner_address_refused', 'too_many_partners'],
  }),
  challengePartner: defineRoute({
    id: 'sendDirectCode',
    room,
    method: 'POST',
    path: '/direct/peers/:id/challenge',
    summary: 'Fax a code to a partner',
    description:
      'Sends a fax of the kind `code` by phone. Its code can be typed at the partner for 7 days and closes after five wrong ones; an earlier code ends. Also requires fax:send.',
    access: 'settings:write',
    audited: { operation: 'partner.challenge', target, param: 'id' },
    params: IdParams,
    badBody,
    body: z.strictObject({
      version: Version.describe('version of the partner that the caller read'),
      mailbox: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('id or label of the mailbox that the fax is sent for'),
    }),
    answer: partnerAnswer,
    refusals: [
      ...OWN_CARD,
      ...CHANGE,
      'partner_removed',
      'invalid_fax_number',
      'number_blocked',
      'no_provider',
      'which_mailbox',
      'unknown_mailbox',
      'mailbox_refused',
      'no_mailbox',
    ],
  }),
  confirmPartner: defineRoute({
    id: 'confirmDirectPartner',
    room,
    method: 'POST',
    path: '/direct/peers/:id/confirm',
    summary: 'Return a code that a partner faxed',
    description:
      'The code is signed and sent to the partner, which checks it. A repeated request with the same code gets the same answer from the partner.',
    access: 'settings:write',
    audited: { operation: 'partner.confirm', target, param: 'id' },
    params: IdParams,
    badBody,
    body: z
      .strictObject({
        code: z.string().trim().min(8).max(20).describe('digits of the code; spaces and dashes are ignored'),
      })
      .meta({ id: 'ConfirmIn' }),
    answer: partnerAnswer,
    refusals: [...OWN_CARD, ...CHANGE, 'partner_removed', 'partner_code_refused', 'partner_unreachable'],
  }),
  revokePartner: defineRoute({
    id: 'revokeDirectPartner',
    room,
    method: 'POST',
    path: '/direct/peers/:id/revoke',
    summary: 'Remove a partner',
    description: 'Direct delivery to it and from it stops at once; faxes to its number go by phone.',
    access: 'settings:write',
    audited: { operation: 'partner.revoke', target, param: 'id' },
    params: IdParams,
    badBody,
    body: z.strictObject({ version: Version.describe('version of the partner that the caller read') }),
    answer: partnerAnswer,
    refusals: CHANGE,
  }),
  returnCode: defineRoute({
    id: 'returnDirectCode',
    room,
    method: 'POST',
    path: '/direct/verifications',
    summary: 'Return a code, for partner installations',
    description:
      'The body is a signed statement `verification`. The answer is a signed statement: `verified` with 200, or `refused` with 409.',
    access: 'public',
    from: 'provider',
    rawBody: { json: SignedStatement },
    answer: { status: 200, schema: SignedStatement },
    refusals: [...STATEMENT_REFUSALS, 'partner_code_refused'],
  }),
  takeStatement: defineRoute({
    id: 'takeDirectStatement',
    room,
    method: 'POST',
    path: '/direct/statements',
    summary: 'State new keys or the end of a partnership, for partner installations',
    description: 'The body is a signed statement `key_change` or `revoked`.',
    access: 'public',
    from: 'provider',
    rawBody: { json: SignedStatement },
    answer: { status: 200, schema: Done },
    refusals: STATEMENT_REFUSALS,
  }),
} as const;
