import { describe, expect, it } from 'vitest';
import { hashCard, matchCard } from '../../server/features/access/sign-in/card-hashes.ts';
import { argon2Hasher, type PasswordHasher } from '../../server/features/access/sign-in/passwords.ts';

/** Counts the slow computations. */
function counting(): PasswordHasher & { count(): number } {
  let count = 0;
  return {
    count: () => count,
    hash(password, like) {
      count += 1;
      return argon2Hasher.hash(password, like);
    },
    verify(storedHash, password) {
      count += 1;
      return argon2Hasher.verify(storedHash, password);
    },
  };
}

describe('the cards of an installation', () => {
  it('share a salt, so that a card is found among all of them with one slow hash', async () => {
    const stored: string[] = [];
    for (let n = 0; n < 12; n += 1) stored.push(await hashCard(argon2Hasher, `card-${n}`, stored));
    expect(new Set(stored.map((each) => each.split('$')[4])).size).toBe(1);
    expect(new Set(stored).size).toBe(12);
    const hasher = counting();
    expect([...(await matchCard(hasher, 'card-7', stored))]).toEqual([stored[7]]);
    expect(hasher.count()).toBe(1);
    expect((await matchCard(hasher, 'card-12', stored)).size).toBe(0);
  });

  it('are found where some have salts of their own, and a new one gets the salt of most', async () => {
    const alone = await argon2Hasher.hash('card-0');
    const first = await argon2Hasher.hash('card-1');
    const second = await hashCard(argon2Hasher, 'card-2', [first]);
    const stored = [alone, first, second];
    const third = await hashCard(argon2Hasher, 'card-3', stored);
    expect(third.split('$')[4]).toBe(first.split('$')[4]);
    for (const [card, hash] of [
      ['card-0', alone],
      ['card-1', first],
      ['card-2', second],
    ] as const)
      expect([...(await matchCard(argon2Hasher, card, stored))]).toEqual([hash]);
    expect((await matchCard(argon2Hasher, 'card-3', ['damaged', '', ...stored])).size).toBe(0);
  });

  it('are compared one by one where their hashes were made at another cost', async () => {
    const stored = [
      '$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA',
      '$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAB',
    ];
    const hasher = counting();
    expect((await matchCard(hasher, 'card-1', stored)).size).toBe(0);
    expect(hasher.count()).toBe(3);
  });
});
