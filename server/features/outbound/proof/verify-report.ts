import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { keyFingerprint } from '../../../platform/key-fingerprint.ts';
import { splitReport } from './report-file.ts';

/** Longer files are no reports: page 1 and the texts fit into a part of it. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Facts that are shown when a report is verified. A later release may add others. */
const VerifiedFacts = z.looseObject({
  format: z.string().startsWith('faxdesk-report-'),
  created_at: z.string(),
  issuer: z.looseObject({
    organization: z.string().nullable(),
    fax_number: z.string().nullable(),
    key_fingerprint: z.string(),
    public_key: z.string(),
  }),
  fax: z.looseObject({
    id: z.string(),
    test: z.boolean(),
    to: z.string(),
    delivery_state: z.string(),
    document: z.looseObject({ sha256: z.string(), pages: z.number() }),
  }),
  attempts: z.array(z.looseObject({ number: z.number() })),
  confirmations: z.array(z.looseObject({ by: z.string(), at: z.string().nullable(), text: z.string() })),
  history: z.array(z.looseObject({ text: z.string() })),
});
type VerifiedFacts = z.infer<typeof VerifiedFacts>;

/** Result of verifying a transmission report byte by byte. */
export interface ReportCheck {
  /** Nothing was altered. */
  readonly intact: boolean;
  /** Sentences that say what does not fit, the most important one first. */
  readonly faults: readonly string[];
  /** Fingerprint of the signing key; null when it cannot be determined. */
  readonly fingerprint: string | null;
  /** Null unless the report is intact: altered facts prove nothing. */
  readonly facts: VerifiedFacts | null;
}

/**
 * Checks a transmission report without a gateway. `fingerprint` is that of the installation's signing key, in any writing
 * of its hex digits. Errors of the file system are thrown as they are.
 */
export async function verifyReport(
  path: string,
  { fingerprint }: { readonly fingerprint?: string | undefined } = {},
): Promise<ReportCheck> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) return refused(['This is not a report of Faxdesk: it is too large.']);
    return checkReport(await file.readFile(), fingerprint);
  } finally {
    await file.close();
  }
}

/** Checks the bytes of a transmission report. */
export function checkReport(file: Buffer, fingerprint?: string): ReportCheck {
  const parts = splitReport(file);
  if (typeof parts === 'string') return refused([parts]);
  const facts = readFacts(parts.facts);
  const key = facts && readKey(facts.issuer.public_key);
  if (!facts || !key) {
    const isNewer = facts === null && isCanonical(parts.facts);
    return refused([
      isNewer
        ? 'Its facts were altered, or this release of Faxdesk cannot read them.'
        : 'Its facts were altered, so its key cannot be read.',
    ]);
  }
  const own = keyFingerprint(key);
  const faults: string[] = [];
  if (!isSigned(parts.signed, key, parts.signature))
    faults.push('The signature does not match: a part of the file was altered.');
  if (facts.issuer.key_fingerprint !== own) faults.push('It names another key than the one in it.');
  if (fingerprint !== undefined && digitsOf(fingerprint) !== own)
    faults.push(`It was signed with another key: its fingerprint is ${own}.`);
  return faults.length > 0
    ? { ...refused(faults), fingerprint: own }
    : { intact: true, faults, fingerprint: own, facts };
}

const refused = (faults: readonly string[]): ReportCheck => ({
  intact: false,
  faults,
  fingerprint: null,
  facts: null,
});

function readFacts(bytes: Buffer): VerifiedFacts | null {
  try {
    return isCanonical(bytes) ? VerifiedFacts.parse(JSON.parse(bytes.toString('utf8'))) : null;
  } catch {
    return null;
  }
}

function isCanonical(bytes: Buffer): boolean {
  try {
    return Buffer.from(canonicalJson(JSON.parse(bytes.toString('utf8')))).equals(bytes);
  } catch {
    return false;
  }
}

/** Null for what is no Ed25519 key. */
function readKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

function isSigned(bytes: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}

/** People write fingerprints in capitals, with spaces or colons. */
const digitsOf = (fingerprint: string) => fingerprint.toLowerCase().replaceAll(/[\s:-]/gu, '');
