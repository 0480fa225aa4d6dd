import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { SigningKeyTable } from '../../db/schema/signing.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { SealError } from '../../platform/errors.ts';
import { keyFingerprint } from '../../platform/key-fingerprint.ts';
import type { Seal } from '../../platform/seal.ts';
import { insertKey, listKeys } from './store.ts';
import type { Signer, SigningKey } from './types.ts';

/** Key pair by which others verify that something comes from this installation. */
export interface SigningService {
  /** Makes a key pair where there is none that opens; nothing while the data key is not that of the store. */
  start(): Promise<void>;
  /** Throws SealError (503) while the data key is not that of the store. */
  signer(): Promise<Signer>;
  /** The newest first. */
  keys(): Promise<SigningKey[]>;
}

export interface SigningParts {
  readonly db: Database;
  readonly seal: Seal;
  readonly clock: Clock;
}

export function createSigningService(parts: SigningParts): SigningService {
  const { db, seal } = parts;
  const current = async () => findCurrent(seal, await listKeys(db.read));
  return {
    async start() {
      if (seal.problem === null && (await current()) === null) await makeKey(parts);
    },
    async signer() {
      const found = await current();
      if (found === null) throw new SealError('no signing key opens with this data key');
      const { row, publicKey, privateKey } = found;
      return { key: presentKey(row, publicKey, row), sign: (bytes) => sign(null, bytes, privateKey) };
    },
    async keys() {
      const rows = await listKeys(db.read);
      const found = findCurrent(seal, rows);
      return rows.flatMap((row) => {
        const publicKey = publicKeyOf(row);
        return publicKey === null ? [] : presentKey(row, publicKey, found?.row ?? null);
      });
    },
  };
}

interface OpenedKey {
  readonly row: SigningKeyTable;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** The newest key that opens, and whose two halves belong together. */
function findCurrent(seal: Seal, rows: readonly SigningKeyTable[]): OpenedKey | null {
  for (const row of rows) {
    const privateKey = openKey(seal, row);
    const publicKey = publicKeyOf(row);
    if (privateKey === null || publicKey === null) continue;
    if (keyFingerprint(privateKey) === keyFingerprint(publicKey)) return { row, publicKey, privateKey };
  }
  return null;
}

function openKey(seal: Seal, row: SigningKeyTable): KeyObject | null {
  try {
    const der = Buffer.from(seal.open(row.private_key, contextOf(row)), 'base64');
    return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

const contextOf = ({ number }: { number: number }) => `signing_key ${number}`;

async function makeKey({ db, seal, clock }: SigningParts): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const sealed = (context: string) =>
    seal.seal(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'), context);
  await db.transaction(async (tx) => {
    const rows = await listKeys(tx);
    // Another gateway of the store may have been first.
    if (findCurrent(seal, rows) !== null) return;
    const number = (rows[0]?.number ?? 0) + 1;
    await insertKey(tx, {
      number,
      public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      private_key: sealed(contextOf({ number })),
      made_at: isoTime(clock.now()),
    });
  });
}

function presentKey(row: SigningKeyTable, key: KeyObject, current: SigningKeyTable | null): SigningKey {
  return {
    fingerprint: keyFingerprint(key),
    publicKey: key.export({ type: 'spki', format: 'pem' }).toString(),
    madeAt: row.made_at,
    isCurrent: row.number === current?.number,
  };
}

/** Returns null when the stored value, which is not sealed, is no valid key. */
function publicKeyOf({ public_key }: SigningKeyTable): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(public_key, 'base64'), type: 'spki', format: 'der' });
  } catch {
    return null;
  }
}
