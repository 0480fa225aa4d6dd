import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { SealError } from '../../platform/errors.ts';
import type { Seal } from '../../platform/seal.ts';
import { publicText } from './wire/keys.ts';

/** Context of the seal. */
const CONTEXT = 'direct_identity';
const DAY_MS = 24 * 3_600_000;
/** Time for which the former keys are accepted as well. */
const OVERLAP_MS = 30 * DAY_MS;

/** Keys of this installation, with their private halves. */
export interface OwnKeys {
  /** Public keys, base64url. */
  readonly signingKey: string;
  readonly exchangeKey: string;
  /** Private keys. */
  readonly signing: KeyObject;
  readonly exchange: KeyObject;
  /** ISO 8601 UTC. */
  readonly madeAt: string;
  /** Null for the keys in force; else the end of the time in which they are accepted as well. */
  readonly acceptedUntil: string | null;
}

const StoredKeys = z.strictObject({
  signing: z.string(),
  exchange: z.string(),
  made_at: z.string(),
  accepted_until: z.string().nullable(),
});
const StoredPairs = z.strictObject({ keys: z.array(StoredKeys).min(1) });

/** Makes the keys of an installation. `at` is an ISO time. */
export function makeKeys(at: string): OwnKeys {
  return ownKeys(generateKeyPairSync('ed25519').privateKey, generateKeyPairSync('x25519').privateKey, {
    madeAt: at,
    acceptedUntil: null,
  });
}

/** Puts new keys in force; the former ones are accepted until 30 days from now, and older ones leave. `now` in epoch ms. */
export function rotateKeys(pairs: readonly OwnKeys[], now: number): OwnKeys[] {
  const former = acceptedKeys(pairs, now).map((keys) => ({
    ...keys,
    acceptedUntil: keys.acceptedUntil ?? new Date(now + OVERLAP_MS).toISOString(),
  }));
  return [makeKeys(new Date(now).toISOString()), ...former];
}

/** Returns the keys in force, and the former ones that are still accepted. `now` in epoch ms. */
export function acceptedKeys(pairs: readonly OwnKeys[], now: number): OwnKeys[] {
  return pairs.filter(({ acceptedUntil }) => acceptedUntil === null || Date.parse(acceptedUntil) > now);
}

export function sealKeys(pairs: readonly OwnKeys[], seal: Seal): string {
  const keys = pairs.map((each) => ({
    signing: derOf(each.signing),
    exchange: derOf(each.exchange),
    made_at: each.madeAt,
    accepted_until: each.acceptedUntil,
  }));
  return seal.seal(JSON.stringify({ keys }), CONTEXT);
}

/** Opens sealed keys, those in force first; null when they do not open with this data key. */
export function openKeys(sealed: string, seal: Seal): OwnKeys[] | null {
  try {
    const { keys } = StoredPairs.parse(JSON.parse(seal.open(sealed, CONTEXT)));
    return keys.map(({ signing, exchange, made_at, accepted_until }) =>
      ownKeys(keyOf(signing), keyOf(exchange), { madeAt: made_at, acceptedUntil: accepted_until }),
    );
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

function ownKeys(
  signing: KeyObject,
  exchange: KeyObject,
  times: Pick<OwnKeys, 'madeAt' | 'acceptedUntil'>,
): OwnKeys {
  return { signing, exchange, signingKey: publicText(signing), exchangeKey: publicText(exchange), ...times };
}

const derOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
const keyOf = (text: string) =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' });
