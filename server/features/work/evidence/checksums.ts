const LINE = /^([0-9a-f]{64}) {2}([\w.-]+)$/u;

/** The text of `SHA256SUMS`, as `sha256sum -c` reads it. */
export function checksumsText(digests: ReadonlyMap<string, string>): string {
  return [...digests].map(([name, sha256]) => `${sha256}  ${name}\n`).join('');
}

/** The digests by file; null when the text is none that {@link checksumsText} writes. */
export function readChecksums(text: string): ReadonlyMap<string, string> | null {
  const digests = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sha256, name] = LINE.exec(line) ?? [];
    if (sha256 === undefined || name === undefined) return null;
    digests.set(name, sha256);
  }
  return checksumsText(digests) === text ? digests : null;
}
