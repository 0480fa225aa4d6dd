import type { WriteTx } from '../../../db/database.ts';
import { addressGroup } from '../../../platform/address-range.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import type { Allowance, StoredLimit } from './stored-limit.ts';

const MINUTE_MS = 60_000;
/** 20 in 15 minutes. */
const ADDRESS_ALLOWANCE = { max: 20, refillMs: (15 * MINUTE_MS) / 20 };
/** 5 at once, then one every 12 seconds: for one name from one address, or for one known browser. */
const SINGLE_ALLOWANCE = { max: 5, refillMs: 12_000 };
/** The same rate, but 75 at once, for all addresses together: more than three addresses reach in 15 minutes. */
const TOTAL_ALLOWANCE = { max: 75, refillMs: 12_000 };

/** Allows a whole office to begin at once; then one every 5 seconds. */
const OPTIONS_ALLOWANCE = { max: 60, refillMs: 5000 };

/** Counts attempts. Each method throws a 429 refusal with Retry-After. */
export interface SignInLimit {
  /**
   * Counts a sign-in with a sign-in name (lower case), good or bad. A browser in which that person signed in before
   * (`browserId`) has attempts of its own, which others cannot use up.
   */
  password(attempt: { address: string; login: string; browserId: string | null }): Promise<void>;
  /** Counts a sign-in with a right key, by that key alone: only its holder can use these up. */
  rightKey(keyId: string): Promise<void>;
  /** A sign-in with a wrong key: one that has the form of an API key, or any other text. */
  wrongKey(attempt: { address: string; hasKeyForm: boolean }): Promise<void>;
  /** A sign-in with a passkey that was not accepted; right ones are counted like keys. */
  wrongPasskey(address: string): Promise<void>;
  /** Counts a challenge for a passkey, which is stored for some minutes; a known browser has its own limit. */
  passkeyOptions(asked: { address: string; browserId: string | null }): Promise<void>;
  /** Counts a card that is read in at a known browser, before it is checked. */
  card(browserId: string): Promise<void>;
  /** Gives the attempt back after a right card. */
  rightCard(tx: WriteTx, browserId: string): Promise<void>;
  /** A slow check of a key of an earlier release. */
  slowKey(attempt: { address: string; keyId: string }): Promise<void>;
  /** Counts a password or code that a signed-in person types again. Only a session of that person can use these up. */
  confirmation(attempt: { principalId: string; what: 'password' | 'code' }): Promise<void>;
}

/** Addresses are counted as one IPv4 address or one /64 of IPv6. Names are kept as hashes: people type passwords into the wrong field. */
export function createSignInLimit(limit: StoredLimit): SignInLimit {
  return {
    password: ({ address, login, browserId }) => {
      if (browserId !== null) return limit.take([{ key: `browser:${browserId}`, ...SINGLE_ALLOWANCE }]);
      return limit.take([
        { key: `address:${addressGroup(address)}`, ...ADDRESS_ALLOWANCE },
        ...nameAllowances(`login:${login}`, address),
      ]);
    },
    rightKey: (keyId) => limit.take([{ key: `right-key:${keyId}`, ...SINGLE_ALLOWANCE }]),
    wrongKey: ({ address, hasKeyForm }) =>
      limit.take([
        { key: `${hasKeyForm ? 'key' : 'installation'}:${addressGroup(address)}`, ...ADDRESS_ALLOWANCE },
      ]),
    wrongPasskey: (address) =>
      limit.take([{ key: `passkey:${addressGroup(address)}`, ...ADDRESS_ALLOWANCE }]),
    passkeyOptions: ({ address, browserId }) => {
      const whose = browserId === null ? addressGroup(address) : `browser:${browserId}`;
      return limit.take([{ key: `passkey-options:${whose}`, ...OPTIONS_ALLOWANCE }]);
    },
    card: (browserId) => limit.take(cardAllowances(browserId)),
    rightCard: (tx, browserId) => limit.giveBack(tx, cardAllowances(browserId)),
    slowKey: ({ address, keyId }) => limit.take(nameAllowances(`slow-key:${keyId}`, address)),
    confirmation: ({ principalId, what }) =>
      limit.take([{ key: `again:${what}:${principalId}`, ...SINGLE_ALLOWANCE }]),
  };
}

const cardAllowances = (browserId: string): Allowance[] => [
  { key: `card:${browserId}`, ...ADDRESS_ALLOWANCE },
];

/** Guesses from one address use up the allowance of that address first. */
function nameAllowances(name: string, address: string): Allowance[] {
  const hash = sha256Hex(name).slice(0, 32);
  return [
    { key: `name:${hash}@${addressGroup(address)}`, ...SINGLE_ALLOWANCE },
    { key: `name:${hash}`, ...TOTAL_ALLOWANCE },
  ];
}
