import type { QuickSignInSetting } from '../../../../shared/states/access.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { AccessConflictError, AccessValueError } from '../errors.ts';
import { hasSecondFactor } from '../store/principals.ts';
import {
  deleteQuickSignIn,
  findQuickSignIn,
  listOtherCards,
  setQuickSignIn,
} from '../store/quick-sign-in.ts';
import { needsTwoFactors } from '../store/two-factor.ts';
import type { AccessSettings } from '../types.ts';
import { hashCard, matchCard } from './card-hashes.ts';
import {
  changeOwn,
  checkPassword,
  type OwnProof,
  type OwnSignInParts,
  ownRow,
  withConfirmation,
} from './own-sign-in.ts';

/**
 * The PIN and the card of the person who signed in as themselves. Setting one throws 403 for a wrong password or second factor,
 * 409 where the installation does not allow it, and 429 after too many tries.
 */
export interface OwnQuickSignIn {
  state(
    caller: AuthenticatedCaller,
  ): Promise<{ allowed: QuickSignInSetting; hasPin: boolean; hasCard: boolean }>;
  /** Throws 400 as well, for a PIN that is guessed first. */
  setPin(caller: AuthenticatedCaller, pin: string, proof: OwnProof): Promise<void>;
  /** Throws 409 as well, for the card of another person. */
  setCard(caller: AuthenticatedCaller, card: string, proof: OwnProof): Promise<void>;
  remove(caller: AuthenticatedCaller, what: 'pin' | 'card'): Promise<void>;
}

interface Parts extends OwnSignInParts {
  readonly settings: Pick<AccessSettings, 'quickSignIn'>;
}

export function createOwnQuickSignIn(parts: Parts): OwnQuickSignIn {
  const { db, hasher, settings } = parts;
  /** A card is no way in for people with two factors. */
  const allowedFor = async (personId: string): Promise<QuickSignInSetting> => {
    const allowed = settings.quickSignIn();
    return allowed === 'pin_or_card' && (await needsTwoFactors(db.read, personId)) ? 'pin' : allowed;
  };
  return {
    async state(caller) {
      const { id } = await ownRow(parts, caller);
      const { pin_hash, card_hash } = await findQuickSignIn(db.read, id);
      return { allowed: await allowedFor(id), hasPin: pin_hash !== null, hasCard: card_hash !== null };
    },

    async setPin(caller, pin, proof) {
      if (settings.quickSignIn() === 'off') throw new AccessConflictError('quick_sign_in_off');
      if (isSimple(pin)) throw new AccessValueError('pin_too_simple');
      const hash = async () => ({ pin_hash: await hasher.hash(pin) });
      await set(parts, caller, proof, { operation: 'pin.set', hash });
    },

    async setCard(caller, card, proof) {
      const { id } = await ownRow(parts, caller);
      if ((await allowedFor(id)) !== 'pin_or_card') throw new AccessConflictError('quick_sign_in_off');
      const hash = async () => {
        const others = await listOtherCards(db.read, id);
        const matched = await matchCard(hasher, card, others);
        if (matched.size > 0) throw new AccessConflictError('card_taken');
        return { card_hash: await hashCard(hasher, card, others) };
      };
      await set(parts, caller, proof, { operation: 'card.set', hash });
    },

    remove: (caller, what) =>
      changeOwn(parts, caller, {
        operation: 'quick_sign_in.remove',
        details: () => ({ what }),
        async work(tx, { id }) {
          await setQuickSignIn(tx, id, what === 'pin' ? { pin_hash: null } : { card_hash: null });
          const { pin_hash, card_hash } = await findQuickSignIn(tx, id);
          if (pin_hash === null && card_hash === null) await deleteQuickSignIn(tx, id);
        },
      }),
  };
}

/** Sets it once the password and, where there is one, the second factor are right. `hash` runs after the password. */
async function set(
  parts: Parts,
  caller: AuthenticatedCaller,
  { currentPassword, ...second }: OwnProof,
  change: {
    operation: 'pin.set' | 'card.set';
    hash: () => Promise<{ pin_hash: string } | { card_hash: string }>;
  },
): Promise<void> {
  const person = await ownRow(parts, caller);
  await checkPassword(parts, person, currentPassword);
  const { operation } = change;
  const hash = await change.hash();
  if (!hasSecondFactor(person))
    return await changeOwn(parts, caller, { operation, work: (tx, { id }) => setQuickSignIn(tx, id, hash) });
  await withConfirmation(parts, caller, second, (confirm) =>
    changeOwn(parts, caller, {
      operation,
      async work(tx, row) {
        await confirm(tx, row);
        await setQuickSignIn(tx, row.id, hash);
      },
    }),
  );
}

/** True for one digit again and again, digits in a row, and two or three digits that repeat. */
function isSimple(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, at) => Number(digit) - Number(pin[at]));
  const isRow = steps.every((step) => step === steps[0] && Math.abs(step) <= 1);
  return isRow || /^(\d{2,3})\1+$/u.test(pin);
}
