import type { z } from 'zod';
import type { DirectoryMatch } from '../../../../shared/api/contacts-directory.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Permission } from '../../../../shared/permissions.ts';
import { client } from '../../../api/client.ts';

/** Suggested recipient in the list under the field. */
export interface Suggestion {
  readonly id: string;
  /** Null for a number without a name. */
  readonly name: string | null;
  readonly organization: string | null;
  /** E.164 */
  readonly to: string;
  readonly isBlocked: boolean;
  readonly recentFailures: number;
  /** ISO 8601 UTC, as the next one; null when unknown. */
  readonly lastSuccessAt: string | null;
  readonly lastUsedAt: string | null;
  /** True for an entry of the office directory, for which earlier faxes are not looked up. */
  readonly isFromDirectory?: boolean;
}

/** Source of suggestions. The list shows the suggestions of the first source first. */
interface RecipientSource {
  readonly id: string;
  /** Permission without which the source is left out. */
  readonly needs: Permission;
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
}

/** Maximum number of suggestions of one source. */
export const MAX_RESULTS = 6;

/** Finds contacts by words of the name, organization, tags or note, or by a part of the number, recently used first. */
const contacts: RecipientSource = {
  id: 'contacts',
  needs: 'contacts:read',
  async find(typed, signal) {
    if (typed === '') return [];
    const query = { q: typed.slice(0, LIMITS.searchLength), limit: MAX_RESULTS };
    const { items } = await client.contacts.completeContacts({ query, signal });
    return items.map((contact) => ({
      id: `contact ${contact.id}`,
      name: contact.name,
      organization: contact.organization,
      to: contact.fax_number,
      isBlocked: contact.blocked,
      recentFailures: contact.recent_failures,
      lastSuccessAt: contact.last_success_at,
      lastUsedAt: contact.last_used_at,
    }));
  },
};

const recentNumbers: RecipientSource = {
  id: 'recent',
  needs: 'fax:send',
  async find(typed, signal) {
    const { items } = await client.outbound.listNumbers({
      query: { q: typed.slice(0, 40), limit: MAX_RESULTS },
      signal,
    });
    return items.map(({ to, contact, last_success_at, last_used_at }) => ({
      id: `recent ${to}`,
      name: contact?.name ?? null,
      organization: null,
      to,
      isBlocked: false,
      recentFailures: 0,
      lastSuccessAt: last_success_at,
      lastUsedAt: last_used_at,
    }));
  },
};

const RECIPIENT_SOURCES: readonly RecipientSource[] = [contacts, recentNumbers];

/** Returns the suggestions of all permitted sources, one for each number. A source that fails is left out. */
export async function findRecipients(
  typed: string,
  held: readonly Permission[],
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const sources = RECIPIENT_SOURCES.filter(({ needs }) => held.includes(needs));
  const found = await Promise.allSettled(sources.map((source) => source.find(typed, signal)));
  const all = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const seen = new Set<string>();
  return all.filter(({ to }) => !seen.has(to) && seen.add(to)).slice(0, 2 * MAX_RESULTS);
}

/** Returns the suggestion for an entry of the office directory. */
export function suggestionOf(match: z.infer<typeof DirectoryMatch>): Suggestion {
  const { name, organization, fax_number: to } = match;
  return {
    id: `directory ${to}`,
    name,
    organization,
    to,
    isBlocked: false,
    recentFailures: 0,
    lastSuccessAt: null,
    lastUsedAt: null,
    isFromDirectory: true,
  };
}
