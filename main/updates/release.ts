import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Largest installer that is taken. */
const MAX_BYTES = 1_000_000_000;

/**
 * Entry of a feed: the newest release for one system and kind of processor. A release to come may add fields; those of
 * today keep their meaning.
 */
const Release = z.object({
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/u),
  /** Changes, as plain text. */
  notes: z.string().max(20_000).default(''),
  /** Name of the installer beside the entry, never a path or an address, and never the one of Windows for everyone. */
  file: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(?<!-everyone)\.(exe|dmg|AppImage)$/u),
  size: z.number().int().min(1).max(MAX_BYTES),
  /** SHA-512 of the installer in lower-case hexadecimal. */
  sha512: z.string().regex(/^[0-9a-f]{128}$/u),
  /** Share of the computers that take it, for a release in stages. */
  percentage: z.number().int().min(0).max(100).default(100),
  /** Signatures of the makers in Base64, of everything above but the share; two while their key is being replaced. */
  signatures: z.array(z.string().max(200)).max(4).default([]),
});
export type Release = z.infer<typeof Release>;

/** Returns the release of an entry; null for a text that is none. */
export function parseRelease(text: string): Release | null {
  try {
    return Release.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Name of the entry of the newest release for a system, or of a version, as `npm run pack` writes them. */
export function entryName(
  { platform, arch }: { platform: string; arch: string },
  version: string | null = null,
): string {
  return `${version ?? 'latest'}-${platform}-${arch}.json`;
}

/** True when this computer takes the release: never an older one, and in stages only with its share. */
export function isOffered(release: Release, own: { version: string; computer: string }): boolean {
  return isNewer(release.version, own.version) && shareOf(release.version, own.computer) < release.percentage;
}

export function isNewer(offered: string, own: string): boolean {
  const [a, b] = [offered, own].map((version) => version.split('.').map(Number));
  for (const part of [0, 1, 2]) {
    const difference = (a?.[part] ?? 0) - (b?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** From 0 to 99, the same for a computer and release at every check, and another for the next release. */
function shareOf(version: string, computer: string): number {
  return createHash('sha256').update(`${version} ${computer}`).digest().readUInt32BE() % 100;
}
