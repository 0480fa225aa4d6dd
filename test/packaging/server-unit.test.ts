import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDebianPackage, buildTarball } from '../../scripts/pack/server/build-archives.ts';
import { closureOf } from '../../scripts/pack/server/server-packages.ts';
import { stageServer } from '../../scripts/pack/server/stage-server.ts';
import { ROOT } from '../../scripts/steps.ts';
import { STAYS_STOPPED } from '../../server/cli/exit-codes.ts';
import { needTools } from '../setup/tools.ts';

const UNIT = join(ROOT, 'resources/server/faxdesk.service');
const run = promisify(execFile);

describe('the unit of systemd', () => {
  it('is rated below 3 by systemd itself', async (context) => {
    needTools(context, 'systemd-analyze');
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT]);
    const rating = /Overall exposure level for faxdesk\.service: ([\d.]+)/u.exec(stdout)?.[1];
    expect(Number(rating)).toBeGreaterThan(0);
    expect(Number(rating), stdout).toBeLessThan(3);
  });

  it('does not start again what needs a person', async () => {
    const unit = await readFile(UNIT, 'utf8');
    const codes = /^RestartPreventExitStatus=(.*)$/mu.exec(unit)?.[1]?.split(' ').map(Number);
    expect(codes).toEqual(STAYS_STOPPED);
  });
});

describe('the package for servers', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faxdesk-small-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** A folder with what every staged one has. */
  async function smallStage(name: string): Promise<string> {
    const stage = join(folder, name);
    await run('mkdir', ['-p', join(stage, 'bin'), join(stage, 'completions')]);
    for (const file of [
      'bin/faxdesk',
      'bin/node',
      'completions/faxdesk',
      'LICENSE',
      'THIRD-PARTY-LICENSES.txt',
    ])
      await writeFile(join(stage, file), file);
    await writeFile(join(stage, 'package.json'), '{"version":"1.2.3-beta.1"}');
    return stage;
  }

  it('is the same to the last byte when it is built again', async (context) => {
    needTools(context, 'dpkg-deb');
    const built = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const stage = await smallStage(name);
        const output = join(folder, `${name}-packages`);
        return readFile(await buildDebianPackage({ platform: 'linux', arch: 'x64' }, stage, { output }));
      }),
    );
    expect(built[0]?.equals(built[1] ?? Buffer.alloc(0))).toBe(true);
  });

  it('is a tarball with one folder, the same to the last byte when it is built again', async () => {
    const target = { platform: 'linux', arch: 'x64' } as const;
    const built = await Promise.all(
      ['four', 'five'].map(async (name) =>
        buildTarball(target, await smallStage(name), { output: join(folder, `${name}-packages`) }),
      ),
    );
    const [one, two] = await Promise.all(built.map(async (file) => readFile(file)));
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true);
    const { stdout } = await run('tar', ['--list', '--file', built[0] ?? '']);
    for (const line of stdout.trim().split('\n'))
      expect(line).toMatch(/^faxdesk-1\.2\.3-beta\.1-linux-x64\//u);
    expect(stdout).toContain('/bin/faxdesk\n');
  });

  it('has a version that Debian sorts before the release, and keeps its configuration', async (context) => {
    needTools(context, 'dpkg-deb');
    const stage = await smallStage('three');
    const file = await buildDebianPackage({ platform: 'linux', arch: 'arm64' }, stage, { output: folder });
    expect((await run('dpkg-deb', ['--field', file, 'Version', 'Architecture'])).stdout).toBe(
      'Version: 1.2.3~beta.1\nArchitecture: arm64\n',
    );
    expect((await run('dpkg-deb', ['--info', file, 'conffiles'])).stdout).toBe('/etc/faxdesk/faxdesk.env\n');
    const { stdout } = await run('dpkg-deb', ['--contents', file]);
    expect(stdout).toMatch(/^-rw-r----- root\/root .* \.\/etc\/faxdesk\/faxdesk\.env$/mu);
    expect(stdout).toMatch(/^-rwxr-xr-x root\/root .* \.\/usr\/bin\/faxdesk$/mu);
  });

  it('is not made with a Node.js for another processor', async () => {
    const target = { platform: 'linux', arch: process.arch === 'arm64' ? 'x64' : 'arm64' } as const;
    const options = { quiet: true, node: null };
    await expect(stageServer(target, join(folder, 'other'), options)).rejects.toThrow('--node <file>');
    await expect(
      stageServer(target, join(folder, 'other'), { ...options, node: process.execPath }),
    ).rejects.toThrow(`is no program for Linux on ${target.arch}`);
  });

  it('takes a package from the nearest folder that has it', () => {
    const packages = {
      '': {},
      'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { absent: '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': {},
      'node_modules/c': {},
      'node_modules/d': {},
    };
    expect(closureOf(packages, ['a'])).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
    ]);
  });
});
