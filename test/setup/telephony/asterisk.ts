import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../tool-path.ts';

/** A telephone engine that can be started here. */
export interface Asterisk {
  /** The program and what goes before its own arguments. */
  readonly command: readonly string[];
  readonly modules: string;
  /** Documentation and sounds. */
  readonly data: string;
}

/** Debian 11 is the last release with the package; Debian sid has it again. */
const SUITE = 'bullseye';
const PACKAGES = 'asterisk,asterisk-modules,libspandsp2';

/** The folder is there only when it is whole: it gets its name when nothing is left to do. Mounts end with the process. */
const BOOTSTRAP = `
set -e
[ ! -e "$1" ] || exit 0
rm -rf --one-file-system "$1.part"
debootstrap --variant=minbase --include=${PACKAGES} ${SUITE} "$1.part" "$2" >"$1.log" 2>&1 || { tail -n 2 "$1.log" >&2; exit 1; }
rm -rf --one-file-system "$1.part/var/cache/apt" "$1.part/var/lib/apt"
mv "$1.part" "$1"
`;

/** The one on PATH; else Debian's, which is fetched into a cache folder the first time. One sentence where there is none. */
export async function findAsterisk(): Promise<Asterisk | { unavailable: string }> {
  const installed = toolPath('asterisk');
  if (installed !== null) return installedAsterisk(installed);
  const root = join(cacheFolder(), `asterisk-${SUITE}-${process.arch}`);
  const problem = existsSync(root) ? null : await bootstrap(root);
  return problem === null ? unpackedAsterisk(root) : { unavailable: problem };
}

function installedAsterisk(program: string): Asterisk | { unavailable: string } {
  const modules = globSync('/usr/lib{,64}/{,*/}asterisk/modules').find((it) =>
    existsSync(join(it, 'res_fax_spandsp.so')),
  );
  if (modules === undefined) return { unavailable: 'the Asterisk that is installed has no fax modules' };
  return { command: [program], modules, data: '/usr/share/asterisk' };
}

/**
 * The program runs with the libraries it was unpacked with, by their own loader: no other root folder and no mounts are needed, paths
 * are the same for everybody, and what it starts is of this computer.
 */
function unpackedAsterisk(root: string): Asterisk | { unavailable: string } {
  const [loader] = globSync('lib/*/ld-[0-9]*.so', { cwd: root });
  if (loader === undefined) return { unavailable: `there is no loader in ${root}` };
  const libraries = [...globSync('{usr/lib,lib}/*-linux-gnu*', { cwd: root }), 'usr/lib'];
  const path = libraries.map((it) => join(root, it)).join(':');
  return {
    command: [join(root, loader), '--library-path', path, join(root, 'usr/sbin/asterisk')],
    modules: join(root, 'usr/lib/asterisk/modules'),
    data: join(root, 'usr/share/asterisk'),
  };
}

function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'];
  return join(base?.startsWith('/') ? base : join(homedir(), '.cache'), 'faxdesk');
}

/** Null when Debian's packages lie in the folder; else why they cannot. Of several runs at once, one fetches them. */
async function bootstrap(root: string): Promise<string | null> {
  if (process.platform !== 'linux') return 'the telephone engine is tested on Linux only';
  const missing = ['debootstrap', 'unshare', 'flock'].filter((name) => toolPath(name) === null);
  if (missing.length > 0) return `not installed: asterisk, and to fetch it ${missing.join(', ')}`;
  if (process.getuid?.() !== 0) return 'no asterisk is installed, and only root can fetch it';
  const mirror = await debianMirror();
  if (mirror === null)
    return 'no asterisk is installed, and the package sources of this computer name no Debian';
  await mkdir(cacheFolder(), { recursive: true });
  const child = spawn(
    'unshare',
    ['--mount', 'flock', `${root}.lock`, 'sh', '-c', BOOTSTRAP, 'sh', root, mirror],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let words = '';
  child.stderr.on('data', (chunk) => {
    words += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? null : `Asterisk could not be fetched: ${words.trim().replaceAll('\n', ' ')}`;
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
