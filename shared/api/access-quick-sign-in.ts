import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { QUICK_SIGN_IN } from '../states/access.ts';
import { PasswordProof, SECOND_FACTOR_REFUSALS } from './access-passkeys.ts';
import { AuthSessionResponse } from './access-shapes.ts';
import { SIGN_IN_REFUSALS } from './access-values.ts';
import { defineRoute } from './route.ts';
import { Done, Id } from './values.ts';

const room = 'access';
const badBody = 'sentence';

const { least, most } = LIMITS.pinLength;
const Pin = z
  .string()
  .regex(new RegExp(`^\\d{${least},${most}}$`, 'u'), `must have ${least} to ${most} digits`)
  .meta({ id: 'Pin', description: `${least} to ${most} digits`, examples: ['730514'] });
/** As a reader types it in. */
const CardNumber = z
  .string()
  .trim()
  .min(LIMITS.cardNumberLength.least)
  .max(LIMITS.cardNumberLength.most)
  .regex(/^[!-~]+$/u, 'must have letters and digits only')
  .meta({
    id: 'CardNumber',
    description: 'number of a card, as its reader types it',
    examples: ['0007316642'],
  });

const OWN = ['password_session_needed', 'wrong_password', ...SECOND_FACTOR_REFUSALS, 'stale'] as const;
const PAGE = ['origin_missing', 'origin_refused', 'insecure_sign_in'] as const;

/** Signing in with a PIN or a card, at a browser where the person signed in with the password or a passkey before. */
export const quickSignInRoutes = {
  listQuickSignIns: defineRoute({
    id: 'listQuickSignIns',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/quick-sign-in/people',
    summary: 'List the people who can sign in with a PIN in this browser, by name',
    description:
      'Returns no one in a browser where nobody signed in with the password or a passkey in the last 30 days.',
    access: 'public',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          people: z.array(z.strictObject({ id: Id, login: z.string(), display_name: z.string() })),
          takes_cards: z.boolean().describe('true if someone can sign in with a card in this browser'),
        })
        .meta({ id: 'QuickSignIns' }),
    },
    refusals: [...SIGN_IN_REFUSALS],
  }),
  pinLogin: defineRoute({
    id: 'signInWithPin',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/quick-sign-in/pin-login',
    summary: 'Sign in with a PIN',
    access: 'public',
    badBody,
    body: z.strictObject({ person_id: Id, pin: Pin }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: [...SIGN_IN_REFUSALS, 'wrong_pin', 'pin_not_here', 'pins_used_up'],
  }),
  cardLogin: defineRoute({
    id: 'signInWithCard',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/quick-sign-in/card-login',
    summary: 'Sign in with a card',
    access: 'public',
    badBody,
    body: z.strictObject({ card: CardNumber }),
    answer: { status: 200, schema: AuthSessionResponse },
    refusals: [...SIGN_IN_REFUSALS, 'card_not_here', 'card_needs_pin'],
  }),
  quickSignIn: defineRoute({
    id: 'getQuickSignIn',
    room,
    onlyConsole: true,
    method: 'GET',
    path: '/auth/quick-sign-in',
    summary: 'Get whether the caller has a PIN and a card',
    access: 'signed-in',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          allowed: z
            .enum(QUICK_SIGN_IN)
            .describe('ways that the caller may set up: no card for people with two factors'),
          has_pin: z.boolean().describe('true if the caller has a PIN'),
          has_card: z.boolean().describe('true if the caller has a card'),
        })
        .meta({ id: 'QuickSignInState' }),
    },
    refusals: ['password_session_needed'],
  }),
  setPin: defineRoute({
    id: 'setPin',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/quick-sign-in/pin',
    summary: 'Set the caller’s PIN',
    access: 'signed-in',
    audited: { operation: 'pin.set', target: 'principal', own: true },
    badBody,
    body: PasswordProof.extend({ pin: Pin }).meta({ id: 'PinIn' }),
    answer: { status: 200, schema: Done },
    refusals: [...OWN, ...PAGE, 'quick_sign_in_off', 'pin_too_simple'],
  }),
  setCard: defineRoute({
    id: 'setCard',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/quick-sign-in/card',
    summary: 'Set the caller’s card',
    access: 'signed-in',
    audited: { operation: 'card.set', target: 'principal', own: true },
    badBody,
    body: PasswordProof.extend({ card: CardNumber }).meta({ id: 'CardIn' }),
    answer: { status: 200, schema: Done },
    refusals: [...OWN, ...PAGE, 'quick_sign_in_off', 'card_taken'],
  }),
  removeQuickSignIn: defineRoute({
    id: 'removeQuickSignIn',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/auth/quick-sign-in/remove',
    summary: 'Remove the caller’s PIN or card',
    access: 'signed-in',
    audited: { operation: 'quick_sign_in.remove', target: 'principal', own: true },
    badBody,
    body: z.strictObject({ what: z.enum(['pin', 'card']) }),
    answer: { status: 200, schema: Done },
    refusals: ['password_session_needed', 'stale'],
  }),
} as const;
