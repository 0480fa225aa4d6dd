import { equalInConstantTime } from '../../../platform/hash.ts';
import type { PasswordHasher } from './passwords.ts';

/**
 * Hashes a card with the salt that most of the cards of others have. A card comes without the name of its person: with
 * one salt it is hashed once and compared with all, where 500 salts would take 500 slow hashes, more than six seconds.
 */
export async function hashCard(
  hasher: PasswordHasher,
  card: string,
  others: readonly string[],
): Promise<string> {
  const [most] = [...groupBySalt(others).values()].sort((a, b) => b.length - a.length);
  return await hasher.hash(card, most?.[0]);
}

/** Returns those of the stored hashes that are of the card. */
export async function matchCard(
  hasher: PasswordHasher,
  card: string,
  storedHashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [...groupBySalt(storedHashes)].map(async ([start, group]) => {
      const [first = ''] = group;
      const hashed = group.length === 1 ? null : await hasher.hash(card, first);
      if (hashed !== null && startOf(hashed) === start)
        return group.filter((stored) => equalInConstantTime(stored, hashed));
      const fits = await Promise.all(group.map((stored) => hasher.verify(stored, card)));
      return group.filter((_stored, i) => fits[i]);
    }),
  );
  return new Set(found.flat());
}

/** Groups stored hashes by cost and salt. */
function groupBySalt(storedHashes: readonly string[]): Map<string, string[]> {
  return Map.groupBy(storedHashes, startOf);
}

/** Returns a stored hash up to the end of its salt. */
function startOf(storedHash: string): string {
  return storedHash.slice(0, storedHash.lastIndexOf('$') + 1);
}
