import type { ReadDb } from '../../db/database.ts';
import { grantsNow } from './authentication/grants-now.ts';
import type { CallerFor } from './authentication/intake-caller.ts';
import type { TerminalKeys } from './authentication/terminal-keys.ts';
import type { Identity } from './identity.ts';
import type { Keys } from './keys/keys.ts';
import { insertOwnKey } from './keys/own-key.ts';
import type { OwnPasskeys } from './passkeys/own-passkeys.ts';
import type { PasskeySignIn } from './passkeys/passkey-sign-in.ts';
import type { EnrollOwner } from './people/owner.ts';
import type { ChangePolicy } from './policy-change.ts';
import type { ChangePassword } from './sign-in/change-password.ts';
import type { OwnQuickSignIn } from './sign-in/own-quick-sign-in.ts';
import type { PendingSignIns } from './sign-in/pending-sign-ins.ts';
import type { QuickSignIn } from './sign-in/quick-sign-in.ts';
import type { Sessions } from './sign-in/sessions.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import type { StoredLimit } from './sign-in/stored-limit.ts';
import type { TwoFactor } from './sign-in/two-factor.ts';
import { effectiveGrants, holders, possibleGrants } from './store/grants.ts';
import { findPrincipal } from './store/principals.ts';

export { documentResource, mailboxResource } from '../../../shared/resources.ts';
export type { Caller } from '../../http/caller.ts';
export {
  actorOf,
  authenticatedCaller,
  hasLostAuthority,
  isUnfinished,
  keyOf,
  ownCaller,
  visibleTo,
} from './authenticated-caller.ts';
export { presentedKey } from './authentication/authenticate-key.ts';
export { addressOf, isForeignPage } from './authentication/origins.ts';
export type { TerminalKey } from './authentication/terminal-keys.ts';
export { isMadeBy, may, scopeOf } from './authority/may.ts';
export { SEE_PERMISSIONS } from './authority/may-change.ts';
export { assertMayGrant } from './authority/may-grant.ts';
export {
  type DocumentRead,
  type DocumentUse,
  documentUse,
  type NoteDocumentRead,
} from './document-reads.ts';
export { type KeyRef, unread } from './keys/key-changes.ts';
export { mailboxesToSendFor, permissionSummary } from './permission-summary.ts';
export type { OwnedKey } from './store/key-pages.ts';
export { hasTestKeys } from './store/keys.ts';
export {
  countMailboxesWithCover,
  coverOfMailbox,
  enabledMailbox,
  enabledMailboxes,
  hasRule,
  mailboxFor,
  mailboxLabels,
} from './store/mailboxes.ts';
export { BOOTSTRAP_ID, principalNames } from './store/principals.ts';
export {
  type AccessSettings,
  type Actor,
  type ActorWithGrants,
  GATEWAY_ACTOR,
  type Grants,
  type KeyMeta,
  LOCAL_OPERATOR,
  type Scope,
} from './types.ts';

/** Service of the access room for the command line and for the rooms above it. */
export interface AccessService {
  keys: Keys;
  /** Makes one change to who may do what. */
  changePolicy: ChangePolicy;
  /** Creates a key with an integration of its own, within such a change. */
  insertOwnKey: typeof insertOwnKey;
  /** Returns the present grants of an earlier caller; works inside a transaction. */
  grantsNow: typeof grantsNow;
  /** The caller for whom the gateway itself takes something in, now. */
  callerFor: CallerFor;
  limit: StoredLimit;
  /** Keys of open console terminals. */
  terminalKeys: TerminalKeys;
  enrollOwner: EnrollOwner;
  /** Null for an unknown id. Works inside a transaction, as do the three below. */
  findPrincipal: typeof findPrincipal;
  /** Enabled people with a password of their own who hold all of `required` on the installation or `resourceIds`. */
  holders: typeof holders;
  /** Returns the present grants of a principal on each resource. */
  effectiveGrants: typeof effectiveGrants;
  /** Returns the permissions of a principal on each resource as if they, their groups and their roles were all enabled. */
  possibleGrants: typeof possibleGrants;
}

/** Dependencies of the room's own routes beside the service. */
export interface SignInService {
  signIn: SignIn;
  sessions: Sessions;
  changePassword: ChangePassword;
  twoFactor: TwoFactor;
  pending: PendingSignIns;
  passkeys: OwnPasskeys;
  passkeySignIn: PasskeySignIn;
  quickSignIn: QuickSignIn;
  ownQuickSignIn: OwnQuickSignIn;
  identity: Identity;
}

export function createAccessService(
  parts: Pick<
    AccessService,
    'keys' | 'enrollOwner' | 'changePolicy' | 'limit' | 'callerFor' | 'terminalKeys'
  >,
): AccessService {
  return {
    ...parts,
    insertOwnKey,
    grantsNow,
    findPrincipal: (db: ReadDb, id) => findPrincipal(db, id),
    holders,
    effectiveGrants,
    possibleGrants,
  };
}
