import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../tool-path.ts';

/** A release of Debian with packages, unpacked into a folder. */
interface DebianRelease {
  readonly suite: string;
  readonly packages: readonly string[];
  /** First part of the folder's name in the cache. */
  readonly name: string;
}

/** The folder is there only when it is whole: it gets its name when nothing is left to do. Mounts end with the process. */
const BOOTSTRAP = `
set -e
[ ! -e "$1" ] || exit 0
rm -rf --one-file-system "$1.part"
debootstrap --variant=minbase "--include=$3" "$4" "$1.part" "$2" >"$1.log" 2>&1 || { tail -n 2 "$1.log" >&2; exit 1; }
rm -rf --one-file-system "$1.part/var/cache/apt" "$1.part/var/lib/apt/lists"
mv "$1.part" "$1"
`;

/**
 * Returns the folder of a Debian with these packages, which is fetched into a cache folder the first time, or one sentence that says
 * why it cannot be had.
 */
export async function debianRoot({
  suite,
  packages,
  name,
}: DebianRelease): Promise<{ root: string } | { unavailable: string }> {
  const root = join(cacheFolder(), `${name}-${suite}-${process.arch}`);
  if (existsSync(root)) return { root };
  const unavailable = await bootstrap(root, suite, packages);
  return unavailable === null ? { root } : { unavailable };
}

function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'];
  return join(base?.startsWith('/') ? base : join(homedir(), '.cache'), 'faxdesk');
}

/** Null when Debian's packages lie in the folder; else why they cannot. Of several runs at once, one fetches them. */
async function bootstrap(root: string, suite: string, packages: readonly string[]): Promise<string | null> {
  if (process.platform !== 'linux') return 'Debian is unpacked on Linux only';
  const missing = ['debootstrap', 'unshare', 'flock'].filter((name) => toolPath(name) === null);
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`;
  if (process.getuid?.() !== 0) return 'only root can fetch a Debian';
  const mirror = await debianMirror();
  if (mirror === null) return 'the package sources of this computer name no Debian';
  await mkdir(cacheFolder(), { recursive: true });
  const words = [`${root}.lock`, 'sh', '-c', BOOTSTRAP, 'sh', root, mirror, packages.join(','), suite];
  const child = spawn('unshare', ['--mount', 'flock', ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? null : `Debian could not be fetched: ${printed.trim().replaceAll('\n', ' ')}`;
}

/** Returns the mirror of this computer's own packages; null when there is none. */
async function debianMirror(): Promise<string | null> {
  const files = globSync('/etc/apt/{sources.list,sources.list.d/*.{list,sources}}');
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    const found = /^(?:deb\s+(?:\[[^\]]*\]\s+)?|URIs:\s*)(https?:\/\/\S+\/debian\/?)(?:\s|$)/mu.exec(text);
    if (found?.[1]) return found[1];
  }
  return null;
}
