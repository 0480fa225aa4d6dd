import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { debianRoot } from '../debian/debian-root.ts';
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
const PACKAGES = ['asterisk', 'asterisk-modules', 'libspandsp2'];

/** The one on PATH; else Debian's, which is fetched into a cache folder the first time. One sentence where there is none. */
export async function findAsterisk(): Promise<Asterisk | { unavailable: string }> {
  const installed = toolPath('asterisk');
  if (installed !== null) return installedAsterisk(installed);
  const found = await debianRoot({ name: 'asterisk', suite: SUITE, packages: PACKAGES });
  return 'root' in found
    ? unpackedAsterisk(found.root)
    : { unavailable: `no asterisk is installed, and ${found.unavailable}` };
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
