import type { Caller } from '../../../http/caller.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { randomToken } from '../../../platform/ids.ts';
import { type AuthenticatedCaller, authenticatedCaller } from '../authenticated-caller.ts';

/** Key of one console terminal. */
export interface TerminalKey {
  /** Known to the terminal’s process alone. */
  readonly token: string;
  /** Ends the key at once. */
  end(): void;
}

/**
 * Keys of the console terminals of this gateway. They are in memory only, so that none outlives its terminal, even when the
 * gateway is killed, and nobody else's change of a key meets another version because of them.
 */
export interface TerminalKeys {
  /**
   * Creates a key with the permissions that the session's person has at each request; `again` authenticates that session, and
   * throws when it has ended.
   */
  create(terminalId: string, again: () => Promise<Caller>): TerminalKey;
  /** Returns the caller of a key; null when there is no such key. Throws a 401 refusal when its session has ended. */
  callerOf(token: string): Promise<AuthenticatedCaller> | null;
  readonly count: number;
}

const SECRET_BITS = 256;
/** Tells such keys from those that are stored. */
const PREFIX = 'key_terminal_';

export function createTerminalKeys(): TerminalKeys {
  const callers = new Map<string, () => Promise<AuthenticatedCaller>>();
  return {
    create(terminalId, again) {
      const token = PREFIX + randomToken(SECRET_BITS);
      const hash = sha256Hex(token);
      callers.set(hash, async () => authenticatedCaller(await again()).inTerminal(terminalId));
      return { token, end: () => void callers.delete(hash) };
    },
    callerOf: (token) => (token.startsWith(PREFIX) ? (callers.get(sha256Hex(token))?.() ?? null) : null),
    get count() {
      return callers.size;
    },
  };
}
