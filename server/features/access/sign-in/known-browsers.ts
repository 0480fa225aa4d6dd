import type { PersonSource } from '../../../../shared/states/access.ts';
import type { Database, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { newId, randomToken } from '../../../platform/ids.ts';
import {
  findAnyBrowser,
  findKnownBrowser,
  findOwnBrowser,
  insertKnownBrowser,
  listProvedBrowsers,
  type ProvedBrowser,
  replaceBrowserToken,
  setBrowserUsed,
  trimKnownBrowsers,
} from '../store/known-browsers.ts';

const DAY_MS = 24 * 3_600_000;
/** Time for which a browser is remembered after the last sign-in. */
export const BROWSER_LIFETIME_MS = 180 * DAY_MS;
/** Time for which a PIN or a card is enough after a sign-in with the password or a passkey. */
const PROVED_MS = 30 * DAY_MS;
const TOKEN_BITS = 256;
const MAX_PER_PERSON = 20;

/**
 * Browsers in which people signed in before, each identified by a random token in a cookie. The token grants no access:
 * it gives tries of its own, so that guesses elsewhere, or at the same address, cannot keep a person out.
 */
export interface KnownBrowsers {
  /**
   * Returns the ID of a known browser for the person of a sign-in name (lower case), who may not exist; null for an
   * unknown one.
   */
  find(login: string, token: string | null): Promise<string | null>;
  /** Returns the ID of a browser in which any person signed in; null for an unknown one. */
  findAny(token: string | null): Promise<string | null>;
  /**
   * Remembers a browser after a sign-in, in its transaction. It gets a new token each time, so that a token cannot be
   * planted.
   */
  remember(
    tx: WriteTx,
    principalId: string,
    token: string | null,
    source: PersonSource,
  ): Promise<{ id: string; token: string }>;
  /** Returns the browser of each person who signed in there with the password or a passkey in the last 30 days. */
  proved(token: string | null): Promise<ProvedBrowser[]>;
}

export function createKnownBrowsers({ db, clock }: { db: Database; clock: Clock }): KnownBrowsers {
  const usedAfter = () => isoTime(clock.now() - BROWSER_LIFETIME_MS);
  return {
    async find(login, token) {
      if (token === null) return null;
      return await findKnownBrowser(db.read, { login, tokenHash: sha256Hex(token), usedAfter: usedAfter() });
    },

    async findAny(token) {
      return token === null ? null : await findAnyBrowser(db.read, sha256Hex(token), usedAfter());
    },

    async proved(token) {
      if (token === null) return [];
      return await listProvedBrowsers(db.read, sha256Hex(token), isoTime(clock.now() - PROVED_MS));
    },

    async remember(tx, principalId, before, source) {
      const token = randomToken(TOKEN_BITS);
      const tokenHash = sha256Hex(token);
      const now = isoTime(clock.now());
      if (before !== null) await replaceBrowserToken(tx, sha256Hex(before), tokenHash);
      const id = await findOwnBrowser(tx, principalId, tokenHash);
      const known = id ?? newId();
      if (id !== null) await setBrowserUsed(tx, id, { now, source });
      else
        await insertKnownBrowser(tx, {
          id: known,
          principal_id: principalId,
          token_hash: tokenHash,
          last_used_at: now,
          proved_at: now,
          wrong_pins: 0,
        });
      await trimKnownBrowsers(tx, { principalId, usedAfter: usedAfter(), most: MAX_PER_PERSON });
      return { id: known, token };
    },
  };
}
