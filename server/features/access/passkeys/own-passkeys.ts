import type { NewPasskeyAnswer, PasskeyOptions } from '../../../../shared/api/access-passkeys.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import type { AuthenticatedCaller } from '../authenticated-caller.ts';
import { AccessConflictError, MissingError, NotAllowedError } from '../errors.ts';
import {
  changeOwn,
  checkPassword,
  confirmSecondFactor,
  type OwnProof,
  type OwnSignInParts,
  ownRow,
  withConfirmation,
} from '../sign-in/own-sign-in.ts';
import { hashesOf, newRecoveryCodes } from '../sign-in/recovery-codes.ts';
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  type StoredPasskey,
  setPasskeysSince,
} from '../store/passkeys.ts';
import { hasSecondFactor } from '../store/principals.ts';
import { revokeOtherSessions } from '../store/sessions.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes, requiresTwoFactor } from '../store/two-factor.ts';
import type { RelyingParty } from './relying-party.ts';
import { creationOptions, verifyNewPasskey } from './webauthn.ts';

/** A phone, a laptop, two security keys and a few more. */
const MAX_PASSKEYS = 10;

export type { StoredPasskey };

interface AddedPasskey {
  readonly passkey: StoredPasskey;
  /** With the first second factor; shown once. */
  readonly recoveryCodes: string[] | null;
}

/**
 * The passkeys of the person who signed in as themselves. Every change throws 403 without such a session, and for a wrong password
 * or second factor; 409 where the state does not allow it; 429 after too many tries.
 */
export interface OwnPasskeys {
  list(caller: AuthenticatedCaller): Promise<StoredPasskey[]>;
  /**
   * Returns the options by which the browser signs with an own passkey to confirm a change. Throws 409 when there is
   * none for this page.
   */
  proofOptions(caller: AuthenticatedCaller, party: RelyingParty): Promise<PasskeyOptions>;
  /** Returns the options from which the browser creates a passkey; nothing changes before `add`. */
  begin(caller: AuthenticatedCaller, party: RelyingParty, proof: OwnProof): Promise<PasskeyOptions>;
  /** Adds the passkey that the browser made. The first second factor ends the other sessions and brings recovery codes. */
  add(
    caller: AuthenticatedCaller,
    party: RelyingParty,
    made: { name: string; answer: NewPasskeyAnswer },
  ): Promise<AddedPasskey>;
  /** Throws 404 as well. The last one is kept while a role requires a second factor and there are no codes of an app. */
  remove(caller: AuthenticatedCaller, id: string, proof: OwnProof): Promise<void>;
}

interface OwnPasskeysParts extends OwnSignInParts {
  readonly clock: Clock;
  /** Name of this installation in browsers. */
  readonly issuer: () => string;
}

export function createOwnPasskeys(parts: OwnPasskeysParts): OwnPasskeys {
  const { db, passkeyCheck } = parts;
  return {
    async list(caller) {
      return await listPasskeys(db.read, (await ownRow(parts, caller)).id);
    },

    async proofOptions(caller, party) {
      const { id } = await ownRow(parts, caller);
      const allowed = usableAt(await listPasskeys(db.read, id), party);
      if (allowed.length === 0) throw new AccessConflictError('no_passkey_here');
      return await passkeyCheck.createOptions(
        { kind: 'proof', sessionId: sessionOf(caller) },
        party,
        allowed,
      );
    },

    async begin(caller, party, { currentPassword, ...second }) {
      const person = await ownRow(parts, caller);
      const existing = await listPasskeys(db.read, person.id);
      if (existing.length >= MAX_PASSKEYS) throw new AccessConflictError('too_many_passkeys');
      await checkPassword(parts, person, currentPassword);
      if (hasSecondFactor(person)) await confirmSecondFactor(parts, caller, second);
      const { id, login, display_name: displayName } = person;
      const named = { id, login: login ?? displayName, displayName };
      const partyName = parts.issuer();
      const options = await creationOptions({ party, partyName, person: named, existing });
      await passkeyCheck.keep({ kind: 'new', sessionId: sessionOf(caller) }, options.challenge);
      return options;
    },

    add: (caller, party, made) => add(parts, caller, { party, ...made }),
    remove: (caller, id, proof) => remove(parts, caller, { id, proof }),
  };
}

async function add(
  parts: OwnPasskeysParts,
  caller: AuthenticatedCaller,
  made: { party: RelyingParty; name: string; answer: NewPasskeyAnswer },
): Promise<AddedPasskey> {
  const { id: principalId } = await ownRow(parts, caller);
  const challenge = await parts.passkeyCheck.take({ kind: 'new', sessionId: sessionOf(caller) });
  if (challenge === null) throw new AccessConflictError('passkey_not_begun');
  const checked = await verifyNewPasskey({ ...made, challenge });
  if (checked === null) throw new NotAllowedError('passkey_refused');
  const passkey: StoredPasskey = {
    id: newId(),
    principal_id: principalId,
    credential_id: checked.credentialId,
    public_key: checked.publicKey,
    counter: checked.counter,
    transports: checked.transports.join(' '),
    rp_id: made.party.id,
    name: made.name,
    created_at: isoTime(parts.clock.now()),
    last_used_at: null,
  };
  const codes = newRecoveryCodes();
  let isFirst = false;
  await changeOwn(parts, caller, {
    operation: 'passkey.add',
    work: async (tx, person) => {
      isFirst = !hasSecondFactor(person);
      if (!(await insertPasskey(tx, passkey))) throw new AccessConflictError('passkey_known');
      await recordFirstPasskey(tx, { person, now: passkey.created_at });
      if (!isFirst) return;
      await replaceRecoveryCodes(tx, principalId, hashesOf(principalId, codes));
      const now = passkey.created_at;
      await revokeOtherSessions(tx, { principalId, keep: sessionOf(caller), now });
    },
    details: () => ({ passkey: passkey.name, passkey_id: passkey.id }),
  });
  return { passkey, recoveryCodes: isFirst ? codes : null };
}

async function recordFirstPasskey(
  tx: WriteTx,
  { person, now }: { person: PrincipalTable; now: string },
): Promise<void> {
  if (person.passkeys_since === null) await setPasskeysSince(tx, { principalId: person.id, since: now, now });
}

async function remove(
  parts: OwnPasskeysParts,
  caller: AuthenticatedCaller,
  { id, proof: { currentPassword, ...second } }: { id: string; proof: OwnProof },
): Promise<void> {
  await checkPassword(parts, await ownRow(parts, caller), currentPassword);
  let removed: StoredPasskey | null = null;
  await withConfirmation(parts, caller, second, (check) =>
    changeOwn(parts, caller, {
      operation: 'passkey.remove',
      work: async (tx, person) => {
        await check(tx, person);
        removed = await deletePasskey(tx, { id, principalId: person.id });
        if (removed === null) throw new MissingError('no_such_passkey');
        if ((await listPasskeys(tx, person.id)).length === 0) await recordNoPasskeys(parts, tx, person);
      },
      details: () => ({ passkey: removed?.name, passkey_id: id }),
    }),
  );
}

/** The last passkey went: the second factor is off, unless there are codes of an app. */
async function recordNoPasskeys(
  { clock }: OwnPasskeysParts,
  tx: WriteTx,
  person: PrincipalTable,
): Promise<void> {
  const isOff = person.totp_secret === null;
  if (isOff && (await requiresTwoFactor(tx, person.id))) throw new AccessConflictError('two_factor_required');
  await setPasskeysSince(tx, { principalId: person.id, since: null, now: isoTime(clock.now()) });
  if (isOff) await deleteRecoveryCodes(tx, person.id);
}

/** Those that a page may use: a passkey is bound to the name of the page where it was made. */
export function usableAt(passkeys: readonly StoredPasskey[], { id }: RelyingParty): StoredPasskey[] {
  return passkeys.filter(({ rp_id }) => rp_id === id);
}

const sessionOf = ({ session }: AuthenticatedCaller): string => session?.id ?? '';
