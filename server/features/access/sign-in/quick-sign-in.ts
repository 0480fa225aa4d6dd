import { LIMITS } from '../../../../shared/limits.ts';
import type { PersonSource } from '../../../../shared/states/access.ts';
import type { Database } from '../../../db/database.ts';
import { CredentialError } from '../errors.ts';
import { type ProvedBrowser, takePinTry } from '../store/known-browsers.ts';
import { holdPrincipal } from '../store/principals.ts';
import { findQuickSignIn } from '../store/quick-sign-in.ts';
import { needsTwoFactors } from '../store/two-factor.ts';
import type { AccessSettings } from '../types.ts';
import { type BeginParts, beginOfPerson } from './begin-of-person.ts';
import type { BegunSession, Visitor } from './begin-session.ts';
import { matchCard } from './card-hashes.ts';
import type { PasswordHasher } from './passwords.ts';
import { recordRefusedSignIn } from './refused-sign-in.ts';
import type { SignInLimit } from './sign-in-limit.ts';

/**
 * Signing in with a PIN or a card, in a browser where the person signed in with the password or a passkey in the last 30 days: the
 * browser is one factor, the PIN the other. Five wrong PINs in a row need the password there.
 */
export interface QuickSignIn {
  /** Lists the people who can sign in so in the browser of the visitor, by name: each is always in the same place. */
  people(visitor: Visitor): Promise<{ people: QuickPerson[]; takesCards: boolean }>;
  /** Throws a 401 refusal. */
  withPin(attempt: { personId: string; pin: string }, visitor: Visitor): Promise<BegunSession>;
  /** Throws a 401 refusal, or 429 after many unknown cards. */
  withCard(card: string, visitor: Visitor): Promise<BegunSession>;
}

interface QuickPerson {
  readonly id: string;
  readonly login: string;
  readonly displayName: string;
}

interface QuickSignInParts extends BeginParts {
  readonly db: Database;
  readonly hasher: PasswordHasher;
  readonly limit: SignInLimit;
  readonly settings: Pick<AccessSettings, 'quickSignIn'>;
}

export function createQuickSignIn(parts: QuickSignInParts): QuickSignIn {
  const proved = async ({ browserToken }: Visitor) =>
    parts.settings.quickSignIn() === 'off' ? [] : await parts.browsers.proved(browserToken);
  const withCards = (known: readonly ProvedBrowser[]) =>
    parts.settings.quickSignIn() === 'pin_or_card' ? known.filter(({ cardHash }) => cardHash !== null) : [];
  return {
    async people(visitor) {
      const known = await proved(visitor);
      const people = known.filter(({ pinHash }) => pinHash !== null);
      return {
        people: people.map(({ principalId: id, login, displayName }) => ({ id, login, displayName })),
        takesCards: withCards(known).length > 0,
      };
    },

    async withPin({ personId, pin }, visitor) {
      const known = (await proved(visitor)).find(({ principalId }) => principalId === personId);
      if (!known || known.pinHash === null) throw new CredentialError('pin_not_here');
      const { id, pinHash } = known;
      const mayTry = await parts.db.transaction((tx) => takePinTry(tx, id, LIMITS.wrongPins));
      if (!mayTry) throw new CredentialError('pins_used_up');
      if (!(await parts.hasher.verify(pinHash, pin))) return await refuse(parts, known, visitor, 'pin_wrong');
      return await begin(parts, known, { sourceKind: 'pin', visitor });
    },

    async withCard(card, visitor) {
      const known = withCards(await proved(visitor));
      const [first] = known;
      if (!first) throw new CredentialError('card_not_here');
      await parts.limit.card(first.id);
      const hashes = known.flatMap(({ cardHash }) => cardHash ?? []);
      const matched = await matchCard(parts.hasher, card, hashes);
      const [owner, another] = known.filter(({ cardHash }) => cardHash !== null && matched.has(cardHash));
      // Two people may have set the same card at the same moment: it is then the card of neither.
      if (!owner || another) return await refuse(parts, null, visitor, 'card_unknown');
      if (await needsTwoFactors(parts.db.read, owner.principalId))
        return await refuse(parts, owner, visitor, 'card_alone');
      await parts.db.transaction((tx) => parts.limit.rightCard(tx, first.id));
      return await begin(parts, owner, { sourceKind: 'card', visitor });
    },
  };
}

/** Begins the session, where the PIN or card is still that which was checked. Throws 429 for one session after another. */
async function begin(
  parts: QuickSignInParts,
  { principalId, pinHash, cardHash }: ProvedBrowser,
  { sourceKind, visitor }: { sourceKind: PersonSource & ('pin' | 'card'); visitor: Visitor },
): Promise<BegunSession> {
  await parts.limit.rightKey(`${sourceKind} ${principalId}`);
  return await parts.db.transaction(async (tx) => {
    const person = await holdPrincipal(tx, principalId);
    const now = await findQuickSignIn(tx, principalId);
    const isSame = sourceKind === 'pin' ? now.pin_hash === pinHash : now.card_hash === cardHash;
    if (!person?.enabled || !isSame)
      throw new CredentialError(sourceKind === 'pin' ? 'pin_not_here' : 'card_not_here');
    return await beginOfPerson(parts, tx, { person, sourceKind, secondFactor: null, visitor });
  });
}

const REFUSALS = {
  pin_wrong: 'wrong_pin',
  card_unknown: 'card_not_here',
  card_alone: 'card_needs_pin',
} as const;

/** Records the refusal in the security audit. Throws it. */
async function refuse(
  parts: QuickSignInParts,
  known: ProvedBrowser | null,
  visitor: Visitor,
  reason: keyof typeof REFUSALS,
): Promise<never> {
  const named = known && { id: known.principalId, displayName: known.displayName };
  await recordRefusedSignIn(parts, named, { visitor, reason });
  const isLast = reason === 'pin_wrong' && known !== null && known.wrongPins + 1 >= LIMITS.wrongPins;
  throw new CredentialError(isLast ? 'pins_used_up' : REFUSALS[reason]);
}
