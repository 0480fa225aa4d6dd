import type { PasskeyAnswer, PasskeyOptions } from '../../../../shared/api/access-passkeys.ts';
import type { Database, WriteTx } from '../../../db/database.ts';
import type { PasskeyTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { findPasskey, putChallenge, setPasskeyUsed, takeChallenge } from '../store/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';
import { requestOptions, type Unverified, verifyUse } from './webauthn.ts';

const CHALLENGE_MS = 5 * 60_000;

/** Recipient and purpose of a challenge, which is valid for no other. */
type ChallengeOwner =
  | { readonly kind: 'sign-in' | 'second-factor'; readonly token: string }
  | { readonly kind: 'proof' | 'new'; readonly sessionId: string };

/** A passkey that was used well; it counts once its counter is stored. */
export interface UsedPasskey {
  readonly passkey: PasskeyTable;
  readonly newCounter: number;
}

/** Reason why an answer was refused, and its passkey. */
export interface RefusedPasskey {
  readonly why: Unverified | 'challenge' | 'unknown';
  readonly passkey: PasskeyTable | null;
}

/** Requirements for a presented passkey. */
interface PasskeyCheckInput {
  readonly party: RelyingParty;
  readonly owner: ChallengeOwner;
  /** Required owner; null for any. The passkey alone then identifies the person, so the device must verify them. */
  readonly principalId: string | null;
}

/** Challenges for passkeys, and what is signed with them. A challenge is good once, for five minutes. */
export interface PasskeyCheck {
  /** Returns the options for a signature: with one of `allowed`, or with any passkey of this page when that is null. */
  createOptions(
    owner: ChallengeOwner,
    party: RelyingParty,
    allowed: readonly PasskeyTable[] | null,
  ): Promise<PasskeyOptions>;
  /** Keeps the challenge of a passkey that is being made. */
  keep(owner: ChallengeOwner, challenge: string): Promise<void>;
  /** Takes a challenge away: it is used up by the first answer, good or bad. Null when there is none. */
  take(owner: ChallengeOwner): Promise<string | null>;
  /** The passkey of an answer, or why it is not accepted. */
  verify(wanted: PasskeyCheckInput, answer: PasskeyAnswer): Promise<UsedPasskey | RefusedPasskey>;
  /** Stores the use. False when the passkey was removed or used again meanwhile. */
  use(tx: WriteTx, used: UsedPasskey): Promise<boolean>;
}

export function createPasskeyCheck({ db, clock }: { db: Database; clock: Clock }): PasskeyCheck {
  const now = () => isoTime(clock.now());
  const keep: PasskeyCheck['keep'] = (owner, challenge) => {
    const row = {
      owner: nameOf(owner),
      challenge,
      expires_at: isoTime(clock.now() + CHALLENGE_MS),
    };
    return db.transaction((tx) => putChallenge(tx, row, now()));
  };
  const take: PasskeyCheck['take'] = (owner) =>
    db.transaction((tx) => takeChallenge(tx, nameOf(owner), now()));
  return {
    keep,
    take,

    async createOptions(owner, party, allowed) {
      const options = await requestOptions({ party, allowed });
      await keep(owner, options.challenge);
      return options;
    },

    async verify({ party, owner, principalId }, answer) {
      const challenge = await take(owner);
      if (challenge === null) return { why: 'challenge', passkey: null };
      const passkey = await findPasskey(db.read, answer.id);
      if (passkey?.principal_id !== (principalId ?? personOf(answer)))
        return { why: 'unknown', passkey: null };
      const mustVerifyUser = principalId === null;
      const used = await verifyUse({ party, challenge, answer, passkey, mustVerifyUser });
      return typeof used === 'string' ? { why: used, passkey } : { passkey, ...used };
    },

    use: (tx, { passkey: { id, counter }, newCounter }) =>
      setPasskeyUsed(tx, { id, counter, newCounter, now: now() }),
  };
}

function nameOf(owner: ChallengeOwner): string {
  return 'token' in owner ? `${owner.kind}:${sha256Hex(owner.token)}` : `${owner.kind}:${owner.sessionId}`;
}

/** Returns the person ID that the device stored when the passkey was made. */
function personOf({ response }: PasskeyAnswer): string {
  return Buffer.from(response.userHandle ?? '', 'base64url').toString('utf8');
}
