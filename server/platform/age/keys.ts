import { createPrivateKey, createPublicKey, diffieHellman, randomBytes } from 'node:crypto';
import { decodeBech32, encodeBech32 } from './bech32.ts';

/** Bytes of a key of X25519. */
const KEY_BYTES = 32;
const RECIPIENT_PREFIX = 'age';
const IDENTITY_PREFIX = 'age-secret-key-';
/** Bytes before a key in DER (RFC 8410). */
const PUBLIC_DER = Buffer.from('302a300506032b656e032100', 'hex');
const PRIVATE_DER = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** The private key that opens files of the age format, with the public one. */
export interface AgeIdentity {
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** Returns the 32 bytes of a recipient such as `age1…` (X25519); null for any other text. */
export function parseRecipient(text: string): Buffer | null {
  return keyBytes(decodeBech32(RECIPIENT_PREFIX, text));
}

/** Returns a new identity. */
export function makeIdentity(): AgeIdentity {
  return identityOf(randomBytes(KEY_BYTES));
}

/** Returns the public key of an identity as people write it: `age1…`. */
export function recipientOf({ publicKey }: AgeIdentity): string {
  return encodeBech32(RECIPIENT_PREFIX, publicKey);
}

/** Returns the content of an identity file, as `age-keygen` writes it; `madeAt` is ISO 8601 UTC. */
export function identityFileText(identity: AgeIdentity, madeAt: string): string {
  const secret = encodeBech32(IDENTITY_PREFIX, identity.secret).toUpperCase();
  return `# created: ${madeAt}\n# public key: ${recipientOf(identity)}\n${secret}\n`;
}

/** Returns the identities of a file: one on each line, beside empty lines and comments. Null where a line is anything else, or without one. */
export function parseIdentities(text: string): AgeIdentity[] | null {
  const lines = text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const secrets = lines.map((line) => keyBytes(decodeBech32(IDENTITY_PREFIX, line)));
  if (secrets.length === 0) return null;
  return secrets.every((secret) => secret !== null) ? secrets.map(identityOf) : null;
}

/** Returns the secret that both sides share. Throws where the public key is of low order. */
export function sharedSecret(secret: Uint8Array, publicKey: Uint8Array): Buffer {
  return diffieHellman({
    privateKey: privateKeyOf(secret),
    publicKey: createPublicKey({ key: Buffer.concat([PUBLIC_DER, publicKey]), format: 'der', type: 'spki' }),
  });
}

function identityOf(secret: Uint8Array): AgeIdentity {
  const publicKey = createPublicKey(privateKeyOf(secret)).export({ format: 'der', type: 'spki' });
  return { secret, publicKey: publicKey.subarray(PUBLIC_DER.length) };
}

function privateKeyOf(secret: Uint8Array) {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_DER, secret]), format: 'der', type: 'pkcs8' });
}

const keyBytes = (bytes: Buffer | null): Buffer | null => (bytes?.length === KEY_BYTES ? bytes : null);
