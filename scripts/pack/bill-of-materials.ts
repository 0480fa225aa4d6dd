import { readManifest } from './runtime-packages.ts';
import type { ShippedPackage } from './shipped-packages.ts';

/** Program beside the packages, such as Node.js or Electron. */
interface ShippedProgram {
  readonly type: 'framework' | 'platform';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

const EXPRESSION = /^\(?[\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*\)?$/u;

/**
 * Returns the bill of materials of a program in JSON, as CycloneDX 1.6 gives it: its packages with digests, licenses and the packages
 * that each needs. It has no time and no number, so that the same packages give the same text.
 */
export async function billOfMaterials(
  packages: readonly ShippedPackage[],
  programs: readonly ShippedProgram[],
): Promise<string> {
  const { name, version, license, dependencies } = await readManifest();
  const shipped = new Set(packages.map(({ path }) => path));
  const refsOf = (paths: readonly string[]) => paths.filter((path) => shipped.has(path));
  const roots = Object.keys(dependencies).map((each) => `node_modules/${each}`);
  const own = { type: 'application', 'bom-ref': name, name, version, licenses: licensesOf(license) };
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components: [
      ...programs.map((each) => ({ ...each, 'bom-ref': each.purl })),
      ...packages.map(componentOf),
    ],
    dependencies: [
      { ref: name, dependsOn: [...programs.map(({ purl }) => purl), ...refsOf(roots)] },
      ...packages.map(({ path, needs }) => ({ ref: path, dependsOn: refsOf(needs) })),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function componentOf({ name, version, path, license, integrity }: ShippedPackage) {
  const [scope, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': path,
    ...(scope === undefined ? {} : { group: scope }),
    name: plain ?? name,
    version,
    purl: purlOf(name, version),
    ...(license === undefined ? {} : { licenses: licensesOf(license) }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
  };
}

/** Returns the address of a package at npm, as the specification of package URLs writes it. */
export const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace(/^@/u, '%40')}@${version}`;

const licensesOf = (license: string) =>
  EXPRESSION.test(license) ? [{ expression: license }] : [{ license: { name: license } }];

/** Returns the digests of an integrity text of npm: algorithm and base64, several with spaces between them. */
const hashesOf = (integrity: string) =>
  integrity.split(' ').map((each) => {
    const [algorithm = '', digest = ''] = each.split(/-(.*)/su);
    return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
  });
