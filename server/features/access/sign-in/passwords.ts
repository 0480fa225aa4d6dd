import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { type Clock, isoTime } from '../../../platform/clock.ts';

/** Turns passwords into stored hashes and checks them, off the event loop. */
export interface PasswordHasher {
  /** Hashes with a salt of its own, or with that of `like`, a stored hash. */
  hash(password: string, like?: string): Promise<string>;
  /** False also for a stored text that is no hash. */
  verify(storedHash: string, password: string): Promise<boolean>;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 25 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Six of 7,772 words are 77 bits, and can be read over the telephone. */
const TEMPORARY_WORDS = 6;
const TEMPORARY_MS = 72 * 3_600_000;

/** argon2id. The same letters typed on different systems are the same password (NFC). */
export const argon2Hasher: PasswordHasher = {
  hash: (password, like) => hash(password.normalize('NFC'), { ...COST, ...saltOf(like) }),
  verify: async (storedHash, password) => {
    try {
      return await verify(storedHash, password.normalize('NFC'));
    } catch {
      return false;
    }
  },
};

/** Returns the salt of a stored hash: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
function saltOf(storedHash: string | undefined): { salt?: Uint8Array } {
  const salt = storedHash?.split('$')[4];
  return salt === undefined ? {} : { salt: Buffer.from(salt, 'base64') };
}

/** A password to hand over once, and what is stored of it. */
export interface TemporaryPassword {
  /** Six English words, such as `otter-velvet-canyon-…`. */
  readonly text: string;
  readonly columns: {
    readonly password_hash: string;
    readonly password_change_required: 1;
    /** Expiry of the temporary password, ISO 8601 UTC. */
    readonly temporary_until: string;
  };
}

/** Opens one session after another for 72 hours, in each of which only a password of one's own can be chosen. */
export async function issueTemporaryPassword(
  hasher: PasswordHasher,
  clock: Clock,
): Promise<TemporaryPassword> {
  const words = await loadWords();
  const text = Array.from({ length: TEMPORARY_WORDS }, () => words[randomInt(words.length)] ?? '').join('-');
  const password_hash = await hasher.hash(text);
  const temporary_until = isoTime(clock.now() + TEMPORARY_MS);
  return { text, columns: { password_hash, password_change_required: 1, temporary_until } };
}

/** Loads the EFF's long list for passphrases: common words that sound unlike each other. */
async function loadWords(): Promise<string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['diceware-common'].filter((word) => /^[a-z]+$/u.test(word));
}
