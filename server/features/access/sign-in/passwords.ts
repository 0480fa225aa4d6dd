import { hash, verify } from '@node-rs/argon2';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { randomToken } from '../../../platform/ids.ts';

/** Turns passwords into stored hashes and checks them, off the event loop. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False also for a stored text that is no hash. */
  verify(storedHash: string, password: string): Promise<boolean>;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 25 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const TEMPORARY_BITS = 120;
const TEMPORARY_MS = 72 * 3_600_000;

/** argon2id. The same letters typed on different systems are the same password (NFC). */
export const argon2Hasher: PasswordHasher = {
  hash: (password) => hash(password.normalize('NFC'), COST),
  verify: async (storedHash, password) => {
    try {
      return await verify(storedHash, password.normalize('NFC'));
    } catch {
      return false;
    }
  },
};

/** A password to hand over once, and what is stored of it. */
export interface TemporaryPassword {
  /** 20 characters. */
  readonly text: string;
  readonly columns: {
    readonly password_hash: string;
    readonly password_change_required: 1;
    /** It opens nothing from then on. ISO 8601 UTC. */
    readonly temporary_until: string;
  };
}

/** Opens one session after another for 72 hours, in each of which only a password of one's own can be chosen. */
export async function issueTemporaryPassword(
  hasher: PasswordHasher,
  clock: Clock,
): Promise<TemporaryPassword> {
  const text = randomToken(TEMPORARY_BITS);
  const password_hash = await hasher.hash(text);
  const temporary_until = isoTime(clock.now() + TEMPORARY_MS);
  return { text, columns: { password_hash, password_change_required: 1, temporary_until } };
}
