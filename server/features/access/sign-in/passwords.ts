import { hash, verify } from '@node-rs/argon2';
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

/** A password to hand over once: 20 characters. */
export function temporaryPassword(): string {
  return randomToken(TEMPORARY_BITS);
}
