import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseRelease, type Release } from '../../main/updates/release.ts';
import { signRelease } from '../../main/updates/release-signature.ts';
import { eventually } from './eventually.ts';

export const INSTALLER = randomBytes(300_000);

/** The entry of a release with {@link INSTALLER}. */
export function entryOf(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    version: '0.2.0',
    notes: 'Faxes are easier to find.',
    file: 'Faxdesk-0.2.0-linux-x86_64.AppImage',
    size: INSTALLER.length,
    sha512: createHash('sha512').update(INSTALLER).digest('hex'),
    ...changes,
  };
}

/** A key of the makers, and one of somebody else. */
export const [MAKERS, OTHERS] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];

/** Returns an entry with signatures of the keys, for Linux on x64. */
export function signedEntry(
  entry: Record<string, unknown>,
  keys: readonly KeyObject[] = [MAKERS.privateKey],
  system = { platform: 'linux', arch: 'x64' },
): Record<string, unknown> {
  const release = parseRelease(JSON.stringify(entry)) as Release;
  return { ...entry, signatures: keys.map((key) => signRelease(release, system, key)) };
}

/** Writes a feed for Linux on x64 into a folder. */
export function writeFeed(folder: string, entry = entryOf(), installer: Uint8Array = INSTALLER): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(entry['file'])), installer);
  writeFileSync(join(folder, 'latest-linux-x64.json'), JSON.stringify(entry));
}

/** Serves the files of a folder on loopback, as a plain web server does, and can break off. */
export async function serveFeed(folder: string, { takesRanges = true } = {}) {
  const ranges: (string | null)[] = [];
  let broken: { bytes: number; isTaken: () => boolean } | null = null;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const name = String(request.url).slice(1);
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(folder, name));
    } catch {
      response.writeHead(404).end();
      return;
    }
    const isEntry = name.endsWith('.json');
    if (!isEntry) ranges.push(request.headers.range ?? null);
    const [, from] = (takesRanges && /^bytes=(\d+)-$/u.exec(request.headers.range ?? '')) || [];
    const start = Number(from ?? 0);
    const length = bytes.length - start;
    response.setHeader('Content-Length', length);
    if (from !== undefined)
      response.setHeader('Content-Range', `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
    response.writeHead(from === undefined ? 200 : 206);
    if (broken === null || isEntry) response.end(bytes.subarray(start));
    else void breakOff(response, bytes.subarray(start), broken);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Breaks off after these bytes, once they were taken: what is on its way is lost with a connection. */
    breakOff(bytes: number, isTaken: () => boolean) {
      broken = { bytes, isTaken };
    },
    repair() {
      broken = null;
    },
    /** The `Range` of each request for an installer. */
    ranges,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function breakOff(
  response: ServerResponse,
  bytes: Uint8Array,
  broken: { bytes: number; isTaken: () => boolean },
): Promise<void> {
  response.write(bytes.subarray(0, broken.bytes));
  await eventually(() => {
    if (!broken.isTaken()) throw new Error('not taken yet');
  });
  response.destroy();
}
