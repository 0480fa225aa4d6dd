import { type LockedPackage, lockedPackages, readManifest } from '../runtime-packages.ts';

type Locked = Readonly<Record<string, LockedPackage>>;

/**
 * Returns `package.json` and `package-lock.json` of the gateway alone: the packages that its build leaves out of its files, with
 * what they need, as the repository locks them.
 */
export async function serverPackages(
  external: readonly string[],
): Promise<{ manifest: object; lock: object }> {
  const { name, version, description, license, dependencies, overrides } = await readManifest();
  const { lockfileVersion, packages } = await lockedPackages();
  const own = Object.fromEntries(Object.entries(dependencies).filter(([it]) => external.includes(it)));
  const needed = closureOf(packages, Object.keys(own));
  const root = { name, version, license, dependencies: own };
  return {
    manifest: {
      name,
      version,
      description,
      license,
      private: true,
      type: 'module',
      dependencies: own,
      overrides,
    },
    lock: {
      name,
      version,
      lockfileVersion,
      requires: true,
      packages: { '': root, ...Object.fromEntries(needed.map((path) => [path, packages[path]])) },
    },
  };
}

/** Lists the packages with all that they need, as paths of the lock in alphabetical order. */
export function closureOf(packages: Locked, names: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (path: string | null): void => {
    if (path === null || found.has(path)) return;
    found.add(path);
    for (const needed of dependenciesOf(packages, path)) add(needed);
  };
  for (const name of names) add(findFrom(packages, '', name));
  return [...found].sort();
}

/** Lists the packages that one needs itself, as paths of the lock. */
export function dependenciesOf(packages: Locked, path: string): string[] {
  const { dependencies, optionalDependencies } = packages[path] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names.flatMap((name) => findFrom(packages, path, name) ?? []);
}

/** Returns the path of a package as Node finds it from another one; null for an optional one that is not locked. */
function findFrom(packages: Locked, from: string, name: string): string | null {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (base === '') return null;
  }
}
