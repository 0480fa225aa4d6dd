import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../steps.ts';
import { PackError } from '../pack-error.ts';
import { run } from '../run.ts';
import type { Target } from '../target.ts';
import { packageTime, setTimes } from './fixed-times.ts';

const DEBIAN_ARCH = { x64: 'amd64', arm64: 'arm64' } as const;
const RESOURCES = join(ROOT, 'resources/server');
/** Place of the program in the Debian package. */
const PROGRAM = 'usr/lib/faxdesk';
const KB = 1024;

interface ArchiveOptions {
  /** Folder for the file. */
  readonly output: string;
  /** Options of dpkg-deb for its compression; slow and small unless given. */
  readonly compression?: readonly string[];
  /** Level of gzip for a tarball; the smallest unless given. */
  readonly level?: number;
}

/** Returns true where Debian's tools are installed. */
export function canBuildDebianPackage(): boolean {
  return existsSync('/usr/bin/dpkg-deb');
}

/** Packs a staged folder as a tarball with one folder in it. Returns its path. Throws PackError. */
export async function buildTarball(
  { arch }: Target,
  stage: string,
  { output, level = 9 }: ArchiveOptions,
): Promise<string> {
  const name = `faxdesk-${await versionOf(stage)}-linux-${arch}`;
  const file = join(output, `${name}.tar.gz`);
  await mkdir(output, { recursive: true });
  await mustRun('tar', [
    '--create',
    `--file=${file}`,
    `--use-compress-program=gzip -n -${level}`,
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=gnu',
    '--mode=u=rwX,go=rX',
    `--mtime=@${packageTime()}`,
    `--transform=s,^\\.,${name},`,
    `--directory=${stage}`,
    '.',
  ]);
  return file;
}

/** Packs a staged folder as a Debian package. Returns its path. Throws PackError. */
export async function buildDebianPackage(
  { arch }: Target,
  stage: string,
  { output, compression = ['-Zxz', '-z6', '--threads-max=1'] }: ArchiveOptions,
): Promise<string> {
  await mkdir(output, { recursive: true });
  const root = await mkdtemp(join(output, '.deb-'));
  // Debian sorts what follows a tilde before the release.
  const version = (await versionOf(stage)).replaceAll('-', '~');
  const file = join(output, `faxdesk_${version}_${DEBIAN_ARCH[arch]}.deb`);
  try {
    await fill(root, stage);
    await addControl(root, { version, arch: DEBIAN_ARCH[arch] });
    await mustRun('chmod', ['-R', 'u=rwX,go=rX', root]);
    await mustRun('chmod', ['0640', join(root, 'etc/faxdesk/faxdesk.env')]);
    await setTimes(root, packageTime());
    await mustRun('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, `${file}.new`], {
      SOURCE_DATE_EPOCH: String(packageTime()),
    });
    await rename(`${file}.new`, file);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return file;
}

async function fill(root: string, stage: string): Promise<void> {
  await mkdir(join(root, 'usr/lib'), { recursive: true });
  await cp(stage, join(root, PROGRAM), { recursive: true });
  const place = async (from: string, to: string) => {
    await mkdir(join(root, to, '..'), { recursive: true });
    await copyFile(from, join(root, to));
  };
  for (const [name, to] of [
    ['faxdesk.sh', 'usr/bin/faxdesk'],
    ['way-back.sh', 'usr/sbin/faxdesk-way-back'],
  ] as const) {
    await place(join(RESOURCES, name), to);
    await mustRun('chmod', ['0755', join(root, to)]);
  }
  await place(join(RESOURCES, 'service.env'), `${PROGRAM}/service.env`);
  await place(join(RESOURCES, 'faxdesk.env'), 'etc/faxdesk/faxdesk.env');
  await place(join(RESOURCES, 'faxdesk.service'), 'usr/lib/systemd/system/faxdesk.service');
  await place(join(stage, 'completions/faxdesk'), 'usr/share/bash-completion/completions/faxdesk');
  const licenses = ['LICENSE', 'THIRD-PARTY-LICENSES.txt'].map(async (name) =>
    readFile(join(stage, name), 'utf8'),
  );
  await mkdir(join(root, 'usr/share/doc/faxdesk'), { recursive: true });
  await writeFile(join(root, 'usr/share/doc/faxdesk/copyright'), (await Promise.all(licenses)).join('\n\n'));
  for (const name of ['bin/faxdesk', 'completions', 'systemd', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'])
    await rm(join(root, PROGRAM, name), { recursive: true, force: true });
}

async function addControl(root: string, { version, arch }: { version: string; arch: string }): Promise<void> {
  const folder = join(root, 'DEBIAN');
  const size = Math.ceil((await sizeOf(root)) / KB);
  await mkdir(folder);
  await writeFile(
    join(folder, 'control'),
    [
      'Package: faxdesk',
      `Version: ${version}`,
      `Architecture: ${arch}`,
      'Maintainer: the Faxdesk authors <noreply@localhost>',
      `Installed-Size: ${size}`,
      'Depends: adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6',
      'Recommends: ca-certificates',
      'Suggests: postgresql, libreoffice-writer-nogui, libreoffice-calc-nogui',
      'Section: comm',
      'Priority: optional',
      'Description: fax gateway for an office',
      ' Sends and receives faxes over cloud providers or a SIP trunk, and serves a',
      ' console for browsers. It brings the Node.js that it runs on.',
      '',
    ].join('\n'),
  );
  await writeFile(join(folder, 'conffiles'), '/etc/faxdesk/faxdesk.env\n');
  for (const name of ['preinst', 'postinst', 'prerm', 'postrm']) {
    await copyFile(join(RESOURCES, 'debian', name), join(folder, name));
    await mustRun('chmod', ['0755', join(folder, name)]);
  }
}

/** Returns the bytes of all files below a folder. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (it) => (await stat(join(it.parentPath, it.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function versionOf(stage: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(stage, 'package.json'), 'utf8')) as { version: string };
  return version;
}

async function mustRun(
  program: string,
  args: string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { code, output } = await run(program, args, { folder: ROOT, quiet: true, env: { ...env } }).catch(
    (error: unknown) => ({ code: null, output: String(error) }),
  );
  if (code !== 0) throw new PackError(`${program} failed while the package was made.\n${output}`);
}
