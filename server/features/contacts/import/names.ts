import { type Caller, mailboxLabels } from '../../access/service.ts';
import type { ContactsParts } from '../parts.ts';
import type { ContactRow } from '../types.ts';
import { seesMailbox } from '../visibility.ts';
import type { EntryContext } from './read-entry.ts';

type Named = readonly (readonly [id: string, name: string])[];

/** Returns the records that entries of a file may name: mailboxes that the caller sees, and delivery routes. */
export async function entryContext(
  { db, routes, country }: ContactsParts,
  caller: Caller,
): Promise<EntryContext> {
  const seen = [...(await mailboxLabels(db.read))].filter(([id]) => seesMailbox(caller, id));
  return {
    country: country(),
    mailboxOf: finderOf(seen),
    routeOf: finderOf([...(await routes.namesOf(db.read))]),
  };
}

/** Names of mailboxes and routes in an export: an ID where several have the name. Null for none. */
export interface ExportedNames {
  mailboxOf(row: ContactRow): string | null;
  routeOf(row: ContactRow): string | null;
}

/** Reads the names of mailboxes and routes for an export. */
export async function exportedNames({ db, routes }: ContactsParts): Promise<ExportedNames> {
  const mailboxes = namerOf([...(await mailboxLabels(db.read))]);
  const names = namerOf([...(await routes.namesOf(db.read))]);
  return {
    mailboxOf: ({ owner_mailbox_id: id }) => (id === null ? null : (mailboxes(id) ?? id)),
    // A removed route has no name, and is no route any longer.
    routeOf: ({ preferred_route: id }) => (id === null ? null : names(id)),
  };
}

const keyOf = (name: string) => name.trim().toLowerCase();

/** Finds an ID by itself, or by a name that only one of them has. */
function finderOf(named: Named): (typed: string) => string | null {
  const ids = new Set(named.map(([id]) => id));
  const byName = new Map<string, string | null>();
  for (const [id, name] of named) byName.set(keyOf(name), byName.has(keyOf(name)) ? null : id);
  return (typed) => (ids.has(typed) ? typed : (byName.get(keyOf(typed)) ?? null));
}

/** Returns the name by which `finderOf` finds an ID; null when the ID is not there. */
function namerOf(named: Named): (id: string) => string | null {
  const find = finderOf(named);
  const names = new Map(named);
  return (id) => {
    const name = names.get(id);
    if (name === undefined) return null;
    return find(name) === id ? name : id;
  };
}
