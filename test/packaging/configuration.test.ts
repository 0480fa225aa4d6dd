import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { changedProject, msiProjectCreated } from '../../scripts/pack/msi-project.ts';
import { PackError } from '../../scripts/pack/pack-error.ts';
import { afterPack } from '../../scripts/pack/remove-unused.ts';
import { installerTargets } from '../../scripts/pack/target.ts';
import { INSTALLER_KINDS } from '../../scripts/pack/try-installer.ts';
import { ROOT } from '../../scripts/source-tree.ts';
import { INCLUDE } from './windows-installer.ts';

interface Configuration {
  readonly appId: string;
  readonly artifactName: string;
  readonly msiProjectCreated: string;
  readonly afterPack: string;
  readonly win: { readonly target: unknown };
  readonly mac: { readonly target: unknown };
  readonly linux: { readonly target: unknown };
  readonly nsis: {
    readonly perMachine: boolean;
    readonly oneClick: boolean;
    readonly guid?: string;
    readonly artifactName?: string;
  };
  readonly msi: Readonly<Record<string, unknown>>;
}
interface BuilderConfiguration {
  getConfig(folder: string, file: string, changes: null): Promise<Configuration>;
  validateConfiguration(configuration: Configuration, log: { isEnabled: boolean }): Promise<void>;
}

const require = createRequire(import.meta.url);
const builder = dirname(require.resolve('app-builder-lib/package.json'));
const { getConfig, validateConfiguration } = require(
  join(builder, 'out/util/config/config.js'),
) as BuilderConfiguration;

async function effective(file: string): Promise<Configuration> {
  const configuration = await getConfig(ROOT, file, null);
  await validateConfiguration(configuration, { isEnabled: false });
  return configuration;
}

describe('the effective configuration of electron-builder', () => {
  it('makes an installer for an account and a package for administrators on Windows, a disk image and a zip on macOS', async () => {
    const { win, mac, nsis, msi } = await effective('electron-builder.yml');
    expect(win.target).toEqual(['nsis']);
    expect(mac.target).toEqual(['dmg', 'zip']);
    expect(nsis).toMatchObject({ oneClick: true, perMachine: false, differentialPackage: false });
    expect(nsis.guid).toBeUndefined();
    expect(msi).toMatchObject({ perMachine: true, runAfterFinish: false, upgradeCode: expect.any(String) });
  });

  it('signs libraries as well on Windows, and with SHA-256 alone', async () => {
    for (const file of ['electron-builder.yml', 'electron-builder-everyone.yml'])
      expect((await effective(file)).win).toMatchObject({
        signExts: ['.dll', '.node'],
        signtoolOptions: { signingHashAlgorithms: ['sha256'] },
      });
  });

  it('makes an AppImage and the packages of Debian and RPM on Linux', async () => {
    expect((await effective('electron-builder.yml')).linux.target).toEqual(['AppImage', 'deb', 'rpm']);
  });

  it('makes the installer for everyone as a product of its own, with a fixed scope', async () => {
    const usual = await effective('electron-builder.yml');
    const { nsis, appId } = await effective('electron-builder-everyone.yml');
    expect(appId).toBe(usual.appId);
    const { guid = '', artifactName } = nsis;
    expect({ ...nsis, guid: undefined, artifactName: undefined }).toEqual({
      ...usual.nsis,
      perMachine: true,
    });
    expect(artifactName).toBe(usual.artifactName.replace('.${ext}', '-everyone.${ext}'));
    expect(/FAXDESK_FOR_EVERYONE "([\da-f-]{36})"/u.exec(readFileSync(INCLUDE, 'utf8'))?.[1]).toBe(guid);
  });

  it('names the function that removes what Electron brings for nothing', async () => {
    const { afterPack: file } = await effective('electron-builder-everyone.yml');
    expect(await import(join(ROOT, file))).toMatchObject({ afterPack });
  });

  it('is one that electron-builder can refuse', async () => {
    const { nsis, ...rest } = await effective('electron-builder.yml');
    const wrong = { ...rest, nsis: { ...nsis, perMachines: true } } as unknown as Configuration;
    await expect(validateConfiguration(wrong, { isEnabled: false })).rejects.toThrow('configuration.nsis');
  });
});

describe('the workflow that makes the installers', () => {
  interface Step {
    readonly name?: string;
    readonly if?: string;
    readonly run?: string;
  }
  interface Workflow {
    jobs: {
      pack: {
        strategy: { matrix: { include: Run[] } };
        steps: Step[];
      };
      start: {
        needs: string;
        strategy: { matrix: { include: { name: string; 'runs-on': string }[] } };
        steps: Step[];
      };
      window: { strategy: { matrix: { 'runs-on': string[] } }; steps: { run?: string }[] };
    };
  }
  interface Run {
    readonly name: string;
    readonly 'runs-on': string;
    readonly words: string;
  }
  const { pack, start, window } = (
    parseYaml(readFileSync(join(ROOT, '.github/workflows/desktop.yml'), 'utf8')) as Workflow
  ).jobs;
  const { strategy, steps } = pack;

  /** Calls of `try-installer.ts`: the kind, the condition of the step, and the end of the file's name. */
  const triesOf = (all: readonly Step[]) =>
    all.flatMap(({ if: condition, run = '' }) =>
      [...run.matchAll(/try-installer\.ts (\w+) out\/packages\/Faxdesk-\S*\.(\w+)/gu)].map(
        ([, kind = '', end = '']) => ({ kind, condition, end: end.toLowerCase() }),
      ),
    );

  it('runs the tests of the window on Electron itself, on every system', () => {
    expect(window.strategy.matrix['runs-on'].map((it) => it.split('-')[0])).toEqual([
      'ubuntu',
      'windows',
      'macos',
    ]);
    const commands = window.steps.map(({ run }) => run ?? '');
    expect(commands).toContain('node node_modules/electron/install.js');
    expect(commands.at(-1)).toMatch(/ npm test -- test\/desktop$/u);
  });

  it('covers every system and both processors', () => {
    const targets = strategy.matrix.include.flatMap(({ 'runs-on': system, words }) => {
      const [platform = ''] = /^(?:windows|macos|ubuntu)/u.exec(system) ?? [];
      const own = { platform: { windows: 'win32', macos: 'darwin' }[platform] ?? 'linux', arch: 'x64' };
      const arch = /^--arch (\w+)(?: --node [\w/.]+)?$/u.exec(words)?.[1];
      return installerTargets(arch === undefined ? {} : { arch }, own);
    });
    expect(targets.map((it) => `${it.platform} ${it.arch}`).toSorted()).toEqual(
      ['darwin', 'linux', 'win32'].flatMap((it) => [`${it} arm64`, `${it} x64`]),
    );
    expect(steps.map(({ run }) => run)).toContain(
      "npm run pack -- ${{ matrix.words }} ${{ startsWith(github.ref, 'refs/tags/') && '--release' || '' }}",
    );
  });

  it('looks for a file of every target that the configuration has', async () => {
    const { win, mac, linux } = await effective('electron-builder.yml');
    const looks = steps.find(({ name }) => name === 'Look for every installer')?.run ?? '';
    const targets = [win, mac, linux].flatMap(({ target }) => target as string[]);
    for (const target of targets) expect(looks).toMatch(new RegExp(target === 'nsis' ? 'exe' : target, 'u'));
    expect(looks).toContain('-everyone.exe');
    expect(looks).toContain('-hashes.csv');
    expect(steps.map(({ run }) => run)).toContain('node scripts/pack/sizes.ts --installers out/packages');
  });

  it('installs, starts and removes each kind, on its system', () => {
    const systems: Record<string, string> = {
      account: "matrix.name == 'windows-x64'",
      dmg: "matrix.name == 'macos-arm64'",
      zip: "matrix.name == 'macos-arm64'",
      deb: "runner.os == 'Linux'",
      appimage: "runner.os == 'Linux'",
      rpm: "runner.os == 'Linux'",
    };
    expect(Object.keys(INSTALLER_KINDS).toSorted()).toEqual(Object.keys(systems).toSorted());
    const calls = triesOf(steps);
    expect(Object.fromEntries(calls.map(({ kind, condition }) => [kind, condition]))).toEqual(systems);
    for (const { kind, end } of calls) expect(end).toBe(kind === 'account' ? 'exe' : kind);
  });

  it('starts on its own processor what was made on the other one', () => {
    expect(start.needs).toBe('pack');
    expect(start.strategy.matrix.include).toEqual([
      { name: 'windows-arm64', 'runs-on': 'windows-11-arm' },
      { name: 'macos-x64', 'runs-on': 'macos-15-intel' },
    ]);
    const made = strategy.matrix.include.map(({ name }) => name);
    expect(made).toEqual(expect.arrayContaining(start.strategy.matrix.include.map(({ name }) => name)));
    expect(triesOf(start.steps)).toEqual([
      { kind: 'account', condition: "runner.os == 'Windows'", end: 'exe' },
      { kind: 'dmg', condition: "runner.os == 'macOS'", end: 'dmg' },
      { kind: 'zip', condition: "runner.os == 'macOS'", end: 'zip' },
    ]);
  });

  it('tries the installer for an account before those for everyone leave their decisions', () => {
    const places = [/try-installer\.ts account/u, /-everyone\.exe'?\)/u].map((words) =>
      steps.findIndex(({ run = '' }) => words.test(run)),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it('has the service fail at an update of the MSI package, which stays installed', () => {
    const run = steps.find(({ name }) => name?.includes('fail at an update'))?.run ?? '';
    const order = [
      "'/i' $package 0",
      "'/i' $update 1603",
      'Test-Path $program',
      "'/fa' $update 0",
      "'/x' $update 0",
    ];
    const places = order.map((words) => run.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});

describe('the project of the MSI package', () => {
  const template = readFileSync(join(builder, 'templates/msi/template.xml'), 'utf8');

  it('gets the entries of documents and links for everyone, beside the files', () => {
    const project = changedProject(template);
    const added = project.slice(project.indexOf('{{-files}}'), project.indexOf('</ComponentGroup>'));
    const entries = [...added.matchAll(/<RegistryValue Root="(\w+)" Key="([^"]+)".*? Value="([^"]*)"/gu)];
    expect(new Set(entries.map(([, root]) => root))).toEqual(new Set(['HKLM']));
    const lines = readFileSync(INCLUDE, 'utf8');
    for (const key of ['faxdesk', 'faxdesk\\shell\\open\\command', 'faxdesk\\DefaultIcon']) {
      expect(lines).toContain(`"Software\\Classes\\${key}"`);
      expect(entries.map(([, , name]) => name)).toContain(`Software\\Classes\\${key}`);
    }
    const menus = entries.filter(([, , , value]) => value === 'Send as fax').map(([, , key]) => key);
    expect(menus).toEqual(
      ['.pdf', '.tif', '.tiff'].map(
        (it) => `Software\\Classes\\SystemFileAssociations\\${it}\\shell\\Faxdesk`,
      ),
    );
    expect(added.match(/<Component /gu)).toHaveLength(added.match(/KeyPath="yes"/gu)?.length ?? 0);
    expect(template).not.toContain('RegistryValue');
  });

  it('is refused when it has another form', () => {
    expect(() => changedProject('<Wix/>')).toThrow(PackError);
  });

  it('is handed over to the function that the configuration names', async () => {
    const { msiProjectCreated: file } = await effective('electron-builder.yml');
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(await import(join(ROOT, file))).toMatchObject({ msiProjectCreated });
  });
});
