import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { keyFingerprint } from '../../../platform/key-fingerprint.ts';
import {
  type FoundMember,
  membersByDirectory,
  membersByHeaders,
  type ReadZip,
  readStoredZip,
} from '../../../platform/read-stored-zip.ts';
import { readChecksums } from './checksums.ts';
import { EvidenceManifest, EVIDENCE_FILES as FILES, isRecoveredName, type MissingPart } from './manifest.ts';
import { manifestHistoryProblem } from './manifest-history.ts';

/** Result of verifying an evidence archive byte by byte. */
export interface EvidenceCheck {
  /** Nothing was altered, and what was exported was as it had been recorded. */
  readonly intact: boolean;
  /** Sentences that say what was altered, the most important one first. */
  readonly faults: readonly string[];
  /** Fingerprint of the signing key; null when it cannot be determined. */
  readonly fingerprint: string | null;
  /** Null when it cannot be read. */
  readonly manifest: EvidenceManifest | null;
  readonly missing: readonly MissingPart[];
}

/** Texts up to this size are kept; only documents may be larger. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const REQUIRED: readonly string[] = [
  FILES.manifest,
  FILES.history,
  FILES.publicKey,
  FILES.sums,
  FILES.signature,
];

/**
 * Checks an evidence archive without a gateway. `fingerprint` is that of the installation's signing key, in any writing of its
 * hex digits. Errors of the file system are thrown as they are.
 */
export async function verifyEvidence(
  path: string,
  { fingerprint }: { readonly fingerprint?: string | undefined } = {},
): Promise<EvidenceCheck> {
  const file = await open(path, 'r');
  try {
    const found = await findMembers(file, path);
    if (typeof found === 'string') return unreadableArchive([found]);
    const problems = nameProblems(found);
    if (problems.length > 0) return unreadableArchive(problems);
    return check(await readStoredZip(file, found, { maxKeptBytes: MAX_TEXT_BYTES }), fingerprint);
  } finally {
    await file.close();
  }
}

const unreadableArchive = (faults: readonly string[]): EvidenceCheck => ({
  intact: false,
  faults,
  fingerprint: null,
  manifest: null,
  missing: [],
});

/** The headers and the directory name the files; where one of them was altered the other one still does. */
async function findMembers(file: FileHandle, path: string): Promise<readonly FoundMember[] | string> {
  const headers = await membersByHeaders(file);
  if (nameProblems(headers).length === 0) return headers;
  const directory = await membersByDirectory(path);
  const isComplete = directory !== null && nameProblems(directory).length === 0;
  // Files that the directory does not name are hidden from people who open the archive.
  if (isComplete && headers.length <= directory.length) return directory;
  return headers.length > 0
    ? headers
    : 'This is not an evidence archive, or its beginning and its end were altered.';
}

function nameProblems(found: readonly FoundMember[]): string[] {
  const names = found.map(({ name }) => name);
  const known = new Set<string>([...REQUIRED, FILES.original]);
  return [
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `${name} is missing.`),
    ...[...new Set(names)]
      .filter((name) => !known.has(name) && !isRecoveredName(name))
      .map(
        (name) => `${JSON.stringify(name)} does not belong in an evidence archive; it was added or renamed.`,
      ),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
      (name) => `${name} is in the archive more than once.`,
    ),
  ];
}

function check(zip: ReadZip, expectedFingerprint: string | undefined): EvidenceCheck {
  const faults = new Set<string>(zip.alteredContents.map(altered));
  const key = readKey(textOf(zip, FILES.publicKey));
  const fingerprint = key && keyFingerprint(key);
  for (const fault of signatureFaults(zip, key)) faults.add(fault);
  if (
    fingerprint !== null &&
    expectedFingerprint !== undefined &&
    digitsOf(expectedFingerprint) !== fingerprint
  )
    faults.add(`It was signed with another key: its fingerprint is ${fingerprint}.`);
  const manifest = readManifest(textOf(zip, FILES.manifest));
  // The content of an altered file proves nothing.
  if (!faults.has(altered(FILES.manifest)))
    for (const fault of manifestFaults(zip, manifest, faults)) faults.add(fault);
  for (const what of zip.alteredParts) faults.add(`The archive itself was altered: ${what}.`);
  if (zip.surplusBytes > 0) faults.add(`${zip.surplusBytes} bytes were added after its end.`);
  if (zip.surplusBytes < 0) faults.add('It was cut off.');
  const missing = manifest ? [...manifest.export.missing, ...manifest.missing] : [];
  return { intact: faults.size === 0, faults: [...faults], fingerprint, manifest, missing };
}

const altered = (name: string) => `${name} was altered.`;

function signatureFaults(zip: ReadZip, key: KeyObject | null): string[] {
  const sums = bytesOf(zip, FILES.sums);
  const isAltered = (name: string) => zip.alteredContents.includes(name);
  const signed = key !== null && isSigned(sums, key, bytesOf(zip, FILES.signature));
  const faults: string[] = [];
  if (!signed && ![FILES.sums, FILES.signature, FILES.publicKey].some(isAltered))
    faults.push(
      `The signature does not match: ${FILES.sums}, ${FILES.signature} or ${FILES.publicKey} was replaced.`,
    );
  // An altered list of digests proves nothing about the other files.
  return isAltered(FILES.sums) ? faults : [...faults, ...checksumFaults(zip, sums.toString('utf8'))];
}

function isSigned(sums: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(null, sums, key, signature);
  } catch {
    return false;
  }
}

function checksumFaults(zip: ReadZip, text: string): string[] {
  const digests = readChecksums(text);
  if (digests === null) return [`${FILES.sums} cannot be read.`];
  const listed = zip.members.filter(({ name }) => name !== FILES.sums && name !== FILES.signature);
  return [
    ...listed.filter(({ name, sha256 }) => digests.get(name) !== sha256).map(({ name }) => altered(name)),
    ...[...digests.keys()]
      .filter((name) => !listed.some((member) => member.name === name))
      .map((name) => `${name} was removed: ${FILES.sums} lists it.`),
  ];
}

function manifestFaults(
  zip: ReadZip,
  manifest: EvidenceManifest | null,
  known: ReadonlySet<string>,
): string[] {
  if (manifest === null) return [`This release of Faxdesk cannot read ${FILES.manifest}.`];
  const faults = documentFaults(zip, manifest, known);
  const recorded = manifest.missing.filter(({ reason }) => reason === 'altered').map(({ text }) => text);
  const problem = manifestHistoryProblem(manifest);
  return [...faults, ...(problem === null ? [] : [problem]), ...recorded];
}

/** Compares the documents of an archive with what its manifest says about them. */
function documentFaults(zip: ReadZip, manifest: EvidenceManifest, known: ReadonlySet<string>): string[] {
  const { document, export: made } = manifest;
  const carried = document.carried_original;
  const described = new Map<string, string>();
  for (const { file, sha256 } of [document, ...(carried ? [carried] : [])])
    if (file !== null && made.missing.every(({ part }) => part !== file)) described.set(file, sha256);
  const documents = zip.members.filter(({ name }) => name === FILES.original || isRecoveredName(name));
  const otherwise = (name: string, is: string) => `${name} is ${is}, but ${FILES.manifest} says otherwise.`;
  return [
    ...documents.filter(({ name }) => !described.has(name)).map(({ name }) => otherwise(name, 'there')),
    ...[...described.keys()]
      .filter((file) => documents.every(({ name }) => name !== file))
      .map((file) => otherwise(file, 'missing')),
    ...documents
      .filter(
        ({ name, sha256 }) =>
          described.has(name) && described.get(name) !== sha256 && !known.has(altered(name)),
      )
      .map(({ name }) => `${name} is not the document that ${FILES.manifest} describes.`),
  ];
}

function readManifest(text: string): EvidenceManifest | null {
  try {
    return EvidenceManifest.parse(JSON.parse(text));
  } catch {
    return null;
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

function bytesOf(zip: ReadZip, name: string): Buffer {
  return zip.members.find((member) => member.name === name)?.bytes ?? Buffer.alloc(0);
}

const textOf = (zip: ReadZip, name: string) => bytesOf(zip, name).toString('utf8');

/** People write fingerprints in capitals, with spaces or colons. */
const digitsOf = (fingerprint: string) => fingerprint.toLowerCase().replaceAll(/[\s:-]/gu, '');
