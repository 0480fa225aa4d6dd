import {
  ALL_PERMISSIONS,
  hasEffectOn,
  INSTALLATION,
  isPermission,
  type Permission,
} from '../../../../shared/permissions.ts';
import { mailboxResource } from '../../../../shared/resources.ts';
import type { ReadDb } from '../../../db/database.ts';
import { NotAllowedError } from '../errors.ts';
import type { Resources } from '../resources.ts';
import { grantsGivenTo, resourcesOfRole } from '../store/assignments.ts';
import { grantsOf, possibleGrants } from '../store/grants.ts';
import { BOOTSTRAP_ID } from '../store/principals.ts';
import type { ActorWithGrants, CeilingEntry, Grants } from '../types.ts';

/** Subject of a change: the actor must hold everything that it holds. */
type ChangeSubject =
  /** A person or an integration, their sign-in or their sessions; with the permissions that they have once everything is enabled. */
  | { readonly kind: 'person'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  /** Applies wherever it is assigned; a role without assignments affects no principal. */
  | { readonly kind: 'role'; readonly id: string; readonly permissions: readonly string[] }
  | { readonly kind: 'assignment'; readonly permissions: readonly string[]; readonly resourceId: string }
  | { readonly kind: 'key'; readonly ceiling: readonly CeilingEntry[] };

const REFUSED = {
  person: 'person_holds_more',
  group: 'group_gives_more',
  role: 'role_gives_more',
  assignment: 'role_gives_more',
  key: 'key_holds_more',
} as const;

/** Permissions needed to choose where received faxes are filed, since that decides who sees and opens them. */
export const SEE_PERMISSIONS: readonly Permission[] = ['inbound:list', 'inbound:read', 'inbound:document'];

const EVERYTHING: Grants = new Map([[INSTALLATION, new Set(ALL_PERMISSIONS)]]);

/**
 * Prevents privilege escalation by disabling, removing, moving or rerouting: the actor must hold all that the changed
 * subject holds, where it holds it. Called inside the transaction of the change. Throws a 403 refusal.
 */
export async function assertMayChange(
  db: ReadDb,
  resources: Resources,
  actor: ActorWithGrants,
  subject: ChangeSubject,
): Promise<void> {
  const grants = await grantsOfSubject(db, subject);
  const mailboxOf = await resources.mailboxesOf(db, [...grants.keys()]);
  for (const [resourceId, permissions] of grants)
    for (const permission of permissions) {
      if (!hasEffectOn(permission, resourceId) || actor.holds(permission, resourceId)) continue;
      const mailbox = mailboxOf.get(resourceId);
      if (mailbox === undefined || !actor.holds(permission, mailbox))
        throw new NotAllowedError(REFUSED[subject.kind]);
    }
}

/**
 * Returns true when the actor is that person signed in as themselves, or uses that very key: people may reduce their
 * own access.
 */
export function isThemselves(
  actor: ActorWithGrants,
  who: { principalId: string; keyId: string | null },
): boolean {
  return actor.id === who.principalId && (actor.keyId === null || actor.keyId === who.keyId);
}

/**
 * Checks the same for the mailbox that received faxes are filed in: the actor must see all its faxes. For null they
 * must see all faxes, since only the installation covers those of no mailbox. Throws a 403 refusal.
 */
export function assertMayFile(actor: ActorWithGrants, mailboxId: string | null): void {
  const resourceId = mailboxId === null ? INSTALLATION : mailboxResource(mailboxId);
  if (!SEE_PERMISSIONS.every((permission) => actor.holds(permission, resourceId)))
    throw new NotAllowedError('faxes_not_seen');
}

async function grantsOfSubject(db: ReadDb, subject: ChangeSubject): Promise<Grants> {
  switch (subject.kind) {
    case 'person':
      return subject.id === BOOTSTRAP_ID ? EVERYTHING : possibleGrants(db, subject.id);
    case 'group':
      return grantsGivenTo(db, subject.id);
    case 'role':
      return grantsOn(await resourcesOfRole(db, subject.id), subject.permissions);
    case 'assignment':
      return grantsOn([subject.resourceId], subject.permissions);
    case 'key':
      return grantsOf(subject.ceiling);
    default:
      return subject satisfies never;
  }
}

function grantsOn(resourceIds: readonly string[], permissions: readonly string[]): Grants {
  const known = new Set(permissions.filter(isPermission));
  return new Map(resourceIds.map((id) => [id, known]));
}
