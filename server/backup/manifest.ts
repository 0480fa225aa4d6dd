import { z } from 'zod';
import { DamagedBackupError, NewerBackupError } from './errors.ts';

/** Moves when an older release could not read the archive. */
export const FORMAT = 1;
export const MANIFEST_NAME = 'manifest.json';
/**
 * The key files that an archive may hold, by the names they have in the data folder. The root of HTTPS is one: other computers
 * trust it, and it opens with the data key. What the root has signed is signed anew.
 */
export const KEY_NAMES = ['data.key', 'installation.key', 'https/root.sealed'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

const TableName = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);
const Count = z.int().min(0);

const Entry = z.strictObject({
  name: z.string(),
  size: Count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
/** Line of the manifest about an entry of the archive. */
export type ManifestEntry = z.infer<typeof Entry>;

const Facts = z.strictObject({
  product: z.literal('faxdesk'),
  format: z.literal(FORMAT),
  release: z.string(),
  created_at: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()).min(1),
  /** In the order in which they are filled. */
  tables: z.array(z.strictObject({ name: TableName, rows: Count })),
  /** Documents that rows named and that were gone when they were to be stored. */
  missing: z.array(z.string()),
  /** Documents that rows name and that stay in the bucket of an object storage; left out where there is no bucket. */
  bucket: z.strictObject({ address: z.string(), documents: Count }).optional(),
});
/** Facts of a backup, without its entries, of which there may be millions. */
export type Manifest = z.infer<typeof Facts>;
/** The text that is left when the entries are taken out of it. */
const Emptied = Facts.extend({ entries: z.array(z.unknown()).max(0) });

/** Text of a manifest that is written at once. */
const TEXT_CHARACTERS = 64 * 1024;
export const NOT_VALID = 'its manifest is not valid';

/** Fields common to every format, so that a newer one is distinguished from a damaged one. */
const Origin = z.object({ product: z.literal('faxdesk'), format: z.int(), release: z.string() });

export const tableEntry = (table: string): string => `tables/${table}.ndjson`;
export const fileEntry = (name: string): string => `files/${name}`;
export const keyEntry = (name: KeyName): string => `keys/${name}`;

/** The storage name of a document's entry, null for entries of another kind. */
export function fileNameOf(entry: string): string | null {
  return entry.startsWith('files/') ? entry.slice('files/'.length) : null;
}

/** Yields the text of a manifest with these lines, which are entries as JSON. */
export function* manifestText(manifest: Manifest, lines: Iterable<string>): Generator<Buffer> {
  const facts = JSON.stringify(manifest, null, 2);
  let text = `${facts.slice(0, facts.lastIndexOf('\n}'))},\n  "entries": [`;
  let separator = '\n';
  for (const line of lines) {
    text += separator + line;
    separator = ',\n';
    if (text.length < TEXT_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}\n  ]\n}\n`);
}

/**
 * Parses a manifest without its entries, as `scanManifest` leaves it. Throws DamagedBackupError, or NewerBackupError when this release cannot
 * read the content.
 */
export function readManifest(
  text: string,
  known: { release: string; migrations: readonly string[] },
): Manifest {
  const value = jsonOf(text);
  const origin = Origin.safeParse(value);
  if (!origin.success) throw new DamagedBackupError('it has no Faxdesk manifest');
  const { format, release } = origin.data;
  const isNewer = release.localeCompare(known.release, 'en', { numeric: true }) > 0;
  if (format > FORMAT || isNewer) throw new NewerBackupError(release);
  const parsed = Emptied.safeParse(value);
  if (!parsed.success) throw new DamagedBackupError(NOT_VALID);
  const { entries: _, ...manifest } = parsed.data;
  if (manifest.migrations.some((name) => !known.migrations.includes(name)))
    throw new NewerBackupError(release);
  return manifest;
}

/** Parses an entry of a manifest. Throws DamagedBackupError. */
export function readManifestEntry(text: string): ManifestEntry {
  const entry = Entry.safeParse(jsonOf(text));
  if (!entry.success) throw new DamagedBackupError(NOT_VALID);
  return entry.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
