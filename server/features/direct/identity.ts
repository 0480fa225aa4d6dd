import { chmod, readFile } from 'node:fs/promises';
import type { Database, WriteTx } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import { isoTime } from '../../platform/clock.ts';
import { writeDurably } from '../../platform/durable-file.ts';
import { errorCode, SealError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { assertSealing, type Seal } from '../../platform/seal.ts';
import { stale } from './errors.ts';
import { acceptedKeys, makeKeys, type OwnKeys, openKeys, rotateKeys, sealKeys } from './key-pairs.ts';
import { findIdentity, writeIdentity } from './store/identity-store.ts';

export type { OwnKeys } from './key-pairs.ts';

const OWNER_ONLY = 0o600;

/**
 * Identity of this installation towards partners. The store has it sealed, so that all gateways of a store have one;
 * the key file is a sealed copy, from which an installation that lost its store gets it back.
 */
export interface Identity {
  /** Keys in force, made at the first use. Throws SealError (503) while the data key is not that of the store. */
  current(): Promise<OwnKeys>;
  /** Keys in force first, then former ones that are still accepted. Throws SealError. */
  accepted(): Promise<OwnKeys[]>;
  /** Returns the accepted keys with this public signing key, which a partner names; null for others. */
  find(signingKey: string): Promise<OwnKeys | null>;
  /**
   * Puts new keys in force in a transaction; `saveFile` is called after its commit. Throws the refusal `stale` when another
   * gateway was first.
   */
  rotate(tx: WriteTx): Promise<OwnKeys>;
  /** Makes the identity where there is none, and brings the key file in line with it. */
  saveFile(): Promise<void>;
  /** A sentence about the key file; null without a problem. */
  readonly fileProblem: string | null;
}

interface IdentityParts {
  readonly db: Database;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absolute path of the key file. */
  readonly keyFile: string;
}

/** Keys of the store with its version; version 0 for none. */
interface StoredIdentity {
  readonly version: number;
  /** Null where there are none, or none that open. */
  readonly keys: readonly OwnKeys[] | null;
}

const FILE_WORDS = {
  unwritable:
    'The key file of direct delivery cannot be written. The identity is in the database and in backups.',
  other:
    'The key file of direct delivery belongs to another installation. Set SERVICE_DIRECT_KEY_PATH to another file, or remove that file.',
} as const;

export function createIdentity(parts: IdentityParts): Identity {
  const { db, seal, clock } = parts;
  let opened: { readonly sealed: string; readonly keys: OwnKeys[] | null } | null = null;
  let fileProblem: string | null = null;

  /** Opens the keys once for as long as the row stays the same. */
  const read = async (reading: Database['read'] | WriteTx): Promise<StoredIdentity> => {
    assertSealing(seal);
    const row = await findIdentity(reading);
    if (row === null) return { version: 0, keys: null };
    if (opened?.sealed !== row.sealed) opened = { sealed: row.sealed, keys: openKeys(row.sealed, seal) };
    return { version: row.version, keys: opened.keys };
  };
  const write = (tx: WriteTx, keys: readonly OwnKeys[], readVersion: number) =>
    writeIdentity(
      tx,
      {
        sealed: sealKeys(keys, seal),
        signing_key: inForce(keys).signingKey,
        updated_at: isoTime(clock.now()),
      },
      readVersion,
    );
  const make = async (): Promise<readonly OwnKeys[]> => {
    const fromFile = await readKeyFile(parts);
    await db.transaction(async (tx) => {
      const { keys, version } = await read(tx);
      if (keys === null) await write(tx, fromFile ?? [makeKeys(isoTime(clock.now()))], version);
    });
    const { keys } = await read(db.read);
    if (keys === null) throw new SealError('no identity of direct delivery opens with this data key');
    await save(keys);
    return keys;
  };
  const all = async () => (await read(db.read)).keys ?? (await make());
  const save = async (keys: readonly OwnKeys[]) => {
    fileProblem = await writeKeyFile(parts, keys);
  };
  const accepted = async () => acceptedKeys(await all(), clock.now());

  return {
    current: async () => inForce(await all()),
    accepted,
    find: async (signingKey) => (await accepted()).find((keys) => keys.signingKey === signingKey) ?? null,
    async rotate(tx) {
      const { keys, version } = await read(tx);
      if (keys === null) throw new SealError('there is no identity of direct delivery to rotate');
      const rotated = rotateKeys(keys, clock.now());
      if (!(await write(tx, rotated, version))) throw stale();
      return inForce(rotated);
    },
    async saveFile() {
      const { keys, version } = await read(db.read);
      if (keys === null) return void (await make());
      const newer = await readNewerFile(parts, keys);
      if (newer === null) return save(keys);
      // A restored store is older than the file: partners were given the newer keys.
      await db.transaction(async (tx) => void (await write(tx, newer, version)));
      await save((await read(db.read)).keys ?? newer);
    },
    get fileProblem() {
      return fileProblem;
    },
  };
}

function inForce(keys: readonly OwnKeys[]): OwnKeys {
  const [first] = keys;
  if (first === undefined) throw new Error('an identity without keys');
  return first;
}

/** Keys of the file; null without a file, or when it does not open with this data key. Closes it to other accounts. */
async function readKeyFile({ keyFile, seal, logger }: IdentityParts): Promise<OwnKeys[] | null> {
  try {
    const text = (await readFile(keyFile, 'utf8')).trim();
    if (process.platform !== 'win32') await chmod(keyFile, OWNER_ONLY);
    const keys = openKeys(text, seal);
    if (keys === null) logger.warn({}, 'the key file of direct delivery does not open with this data key');
    return keys;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    logger.warn({ error }, 'the key file of direct delivery cannot be read');
    return null;
  }
}

/** Returns the keys of the file when they follow from those of the store by rotations; else null. */
async function readNewerFile(parts: IdentityParts, stored: readonly OwnKeys[]): Promise<OwnKeys[] | null> {
  const keys = await readKeyFile(parts);
  if (keys === null || contains(stored, inForce(keys))) return null;
  return contains(keys, inForce(stored)) ? keys : null;
}

/** Writes the keys to the file, unless it has them. Returns a sentence when it does not have them afterwards, else null. */
async function writeKeyFile(parts: IdentityParts, keys: readonly OwnKeys[]): Promise<string | null> {
  const { keyFile, seal, logger } = parts;
  const present = await readKeyFile(parts);
  if (present !== null && !contains(keys, inForce(present))) return FILE_WORDS.other;
  if (present !== null && present.length === keys.length && contains([inForce(present)], inForce(keys)))
    return null;
  try {
    await writeDurably(keyFile, `${sealKeys(keys, seal)}\n`, OWNER_ONLY);
    return null;
  } catch (error) {
    logger.warn({ error }, 'the key file of direct delivery cannot be written');
    return FILE_WORDS.unwritable;
  }
}

const contains = (keys: readonly OwnKeys[], one: OwnKeys) =>
  keys.some(({ signingKey }) => signingKey === one.signingKey);
