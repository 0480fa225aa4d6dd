import type { z } from 'zod';
import type { Contact as ContactShape } from '../../shared/api/contacts.ts';
import { ApiError, type Client } from '../../shared/client/index.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

export type Contact = z.infer<typeof ContactShape>;

const MAX_MATCHES = 200;

/** A contact by id, fax number or name. Two of one name are refused: nobody can say which is meant. */
export async function findContact({ contacts }: Client, typed: string): Promise<Contact> {
  const byId = await contacts.getContact({ params: { id: typed } }).catch(nullWhenMissing);
  if (byId) return byId;
  if (!/\p{L}/u.test(typed)) {
    const [byNumber] = (await contacts.listContacts({ query: { fax_number: typed } })).items;
    if (byNumber) return byNumber;
    throw new CommandFailure(ERRORS.no_such_contact.sentence, EXIT.notFound);
  }
  const { items } = await contacts.listContacts({ query: { q: typed.slice(0, 100), limit: MAX_MATCHES } });
  const wanted = typed.trim().toLowerCase();
  const [found, second] = items.filter(({ name }) => name.toLowerCase() === wanted);
  if (!found) throw new CommandFailure(ERRORS.no_such_contact.sentence, EXIT.notFound);
  if (!second) return found;
  throw new CommandFailure('Several contacts have that name. Use the fax number instead.', EXIT.conflict);
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof ApiError && (error.is('no_such_contact') || error.is('no_such_address'))) return null;
  throw error;
}
