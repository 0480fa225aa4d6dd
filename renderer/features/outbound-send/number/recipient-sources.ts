import { client } from '../../../api/client.ts';

/** Somebody a fax can go to, as the list under the field shows them. */
export interface Suggestion {
  readonly id: string;
  /** Null when only the number is known. */
  readonly name: string | null;
  /** E.164 */
  readonly to: string;
  readonly lastSuccessAt: string | null;
  readonly lastUsedAt: string | null;
}

/** Where suggestions come from; their order is the order in the list. */
export interface RecipientSource {
  readonly id: string;
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
}

const MOST = 6;

const recentNumbers: RecipientSource = {
  id: 'recent',
  async find(typed, signal) {
    const { items } = await client.outbound.listNumbers({
      query: { q: typed.slice(0, 40), limit: MOST },
      signal,
    });
    return items.map(({ to, last_success_at, last_used_at }) => ({
      id: `recent ${to}`,
      name: null,
      to,
      lastSuccessAt: last_success_at,
      lastUsedAt: last_used_at,
    }));
  },
};

export const RECIPIENT_SOURCES: readonly RecipientSource[] = [recentNumbers];

/** What fits the typed text, of all sources; one that fails does not hide the others. */
export async function findRecipients(typed: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const found = await Promise.allSettled(RECIPIENT_SOURCES.map((source) => source.find(typed, signal)));
  const all = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const seen = new Set<string>();
  return all.filter(({ to }) => !seen.has(to) && seen.add(to)).slice(0, 2 * MOST);
}
