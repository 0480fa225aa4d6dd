import type { z } from 'zod';
import type { Assignment } from '../../shared/api/access-assignments.ts';
import type { AccessGroup, AccessRole } from '../../shared/api/access-groups.ts';
import type { AccessMailbox, InboundRule } from '../../shared/api/access-mailboxes.ts';
import type { AccessPrincipal } from '../../shared/api/access-people.ts';
import { ApiError, type Client } from '../../shared/client/index.ts';
import { ERRORS, type ErrorCodeOf, type FixedErrorCode } from '../../shared/errors/all.ts';
import { INSTALLATION } from '../../shared/permissions.ts';
import { documentOfResource } from '../../shared/resources.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { readAllPages } from './paging.ts';

export type Principal = z.infer<typeof AccessPrincipal>;
export type Group = z.infer<typeof AccessGroup>;
export type Role = z.infer<typeof AccessRole>;
export type Grant = z.infer<typeof Assignment>;
export type Mailbox = z.infer<typeof AccessMailbox>;
export type Rule = z.infer<typeof InboundRule>;

/** An item as it stands, with the versions that a change of it sends back. */
export interface Found<T> {
  readonly item: T;
  readonly versions: { readonly version: number; readonly expected_policy_version: number };
}

type Versioned = { readonly id: string; readonly version: number };

function found<T extends Versioned>(item: T, expected_policy_version: number): Found<T> {
  return { item, versions: { version: item.version, expected_policy_version } };
}

/** A person or integration by id, sign-in name or name. */
export async function findPerson(
  { people }: Client,
  who: string,
  kind: 'all' | 'integration' = 'all',
): Promise<Found<Principal>> {
  const known = await findById(who, (id) => people.getUser({ params: { id } }));
  if (known) return found(known.user, known.policy_version);
  const { items, policy_version } = await readAllPages((page) =>
    people.listUsers({ query: { kind, q: who, ...page } }),
  );
  // Sign-in names are unique, and nobody can take another's by a name that is only shown.
  const signsIn = items.find(({ login }) => login === who.toLowerCase());
  const named = () => findOne(items, who, { names: (each) => each.display_name, none: 'no_such_person' });
  return found(signsIn ?? named(), policy_version);
}

/** A group by id or name. */
export async function findGroup({ groups }: Client, typed: string): Promise<Found<Group>> {
  const { items, policy_version } = await readAllPages((query) => groups.listGroups({ query }));
  const group = findOne(items, typed, { names: ({ name }) => name, none: 'no_such_group' });
  return found(group, policy_version);
}

/** A role by id or name. */
export async function findRole({ roles }: Client, typed: string): Promise<Found<Role>> {
  const { items, policy_version } = await readAllPages((query) => roles.listRoles({ query }));
  const role = findOne(items, typed, { names: ({ name }) => name, none: 'no_such_role' });
  return found(role, policy_version);
}

/** A mailbox by id or label. */
export async function findMailbox({ mailboxes }: Client, typed: string): Promise<Found<Mailbox>> {
  const { items, policy_version } = await readAllPages((query) => mailboxes.listMailboxes({ query }));
  const mailbox = findOne(items, typed, { names: ({ label }) => label, none: 'no_such_mailbox' });
  return found(mailbox, policy_version);
}

/** A rule by id, or by its number as people of its country write it. */
export async function findRule({ mailboxes }: Client, typed: string): Promise<Found<Rule>> {
  const { items, policy_version } = await readAllPages((query) => mailboxes.listInboundRules({ query }));
  // Loaded here: it is large, and no other command needs it.
  const { countryOf, toE164 } = await import('../platform/phone-number.ts');
  const names = ({ to_number }: Rule) =>
    toE164(typed, countryOf(to_number) ?? '') === to_number ? typed : to_number;
  return found(findOne(items, typed, { names, none: 'no_such_number_rule' }), policy_version);
}

/** A grant by id, or by who has which role where. */
export async function findGrant(
  { assignments }: Client,
  wanted: { id?: string; subject_id?: string; role_id?: string; resource_id?: string },
): Promise<Found<Grant>> {
  const { id, ...filter } = wanted;
  const { items, policy_version } = await readAllPages((page) =>
    assignments.listAssignments({ query: { ...filter, ...page } }),
  );
  const grant = items.find((each) => id === undefined || each.id === id);
  if (!grant) throw new CommandFailure(ERRORS.no_such_assignment.sentence, EXIT.notFound);
  return found(grant, policy_version);
}

/** The id of a resource by id, label of a mailbox, or the name of everything; everything when left out. */
export async function findResource({ assignments }: Client, typed = INSTALLATION): Promise<string> {
  // Documents are listed only once they have a grant.
  if (typed === INSTALLATION || documentOfResource(typed) !== null) return typed;
  const { items } = await assignments.listResources();
  return findOne(items, typed, { names: ({ name }) => name, none: 'no_such_resource' }).id;
}

/** Null when nothing has that id, or it cannot be one. */
async function findById<T>(typed: string, read: (id: string) => Promise<T>): Promise<T | null> {
  if (!/^[\w-]{1,40}$/u.test(typed)) return null;
  try {
    return await read(typed);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

interface Names<T> {
  names(item: T): string;
  readonly none: ErrorCodeOf<404, FixedErrorCode>;
}

/** The one item with that id or name, in capitals or not. */
function findOne<T extends { id: string }>(items: readonly T[], typed: string, { names, none }: Names<T>): T {
  const named = items.filter((item) => foldCase(names(item)) === foldCase(typed));
  const [item, ...others] = items.filter(({ id }) => id === typed).concat(named);
  if (!item) throw new CommandFailure(ERRORS[none].sentence, EXIT.notFound);
  if (item.id === typed || others.length === 0) return item;
  const choices = named.map((each) => `${names(each)} (${each.id})`).join(', ');
  throw new CommandFailure(
    `Several have the name "${typed}": ${choices}. Use the id instead.`,
    EXIT.badValues,
  );
}

const foldCase = (text: string) => text.normalize('NFKC').trim().toLowerCase();
