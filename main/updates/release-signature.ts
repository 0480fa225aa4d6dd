import { type KeyObject, sign, verify } from 'node:crypto';
import type { Release } from './release.ts';

/** Kind of computer that an entry is for, as Node.js names it. */
export interface System {
  readonly platform: string;
  readonly arch: string;
}

/** First word of what is signed: a signature of something else never fits. */
const PURPOSE = 'Faxdesk release 1';

/** Signs an entry with an Ed25519 key. Returns the signature in Base64. */
export function signRelease(release: Release, system: System, key: KeyObject): string {
  return sign(null, signedBytes(release, system), key).toString('base64');
}

/** Checks that an entry has a signature of one of the public keys, for this system and kind of processor. */
export function isSignedRelease(release: Release, system: System, keys: readonly KeyObject[]): boolean {
  const bytes = signedBytes(release, system);
  const signatures = release.signatures.map((text) => Buffer.from(text, 'base64'));
  return keys.some((key) => signatures.some((signature) => verify(null, bytes, key, signature)));
}

/** The share of the computers is left out: it changes while a release is published in stages. */
function signedBytes({ version, notes, file, size, sha512 }: Release, system: System): Buffer {
  const parts = [PURPOSE, system.platform, system.arch, version, file, size, sha512, notes];
  return Buffer.from(JSON.stringify(parts), 'utf8');
}
