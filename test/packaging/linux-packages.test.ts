import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLinuxPackages } from '../../scripts/pack/builder.ts';
import { desktopPackages } from '../../scripts/pack/desktop-packages.ts';
import { readManifest } from '../../scripts/pack/runtime-packages.ts';
import { ROOT } from '../../scripts/source-tree.ts';
import { type DebianServer, startDebianServer } from '../setup/debian/debian-server.ts';
import { serverDebian } from '../setup/debian/server-debian.ts';
import { needTools, toolPath } from '../setup/tools.ts';

const FPM = join(ROOT, 'test/packaging/stub-fpm.ts');
const AFTER_REMOVE = join(ROOT, 'resources/linux/after-remove.sh');
const PROFILE = '/etc/apparmor.d/faxdesk-desktop';
/** An empty `/opt` may go as well. */
const EVERY_FILE =
  "mkdir -p /opt; find /etc /opt /usr /var -xdev -not -path '/var/*/dpkg/*' -not -path '/var/log/*' | sort";

const folder = mkdtempSync(join(tmpdir(), 'faxdesk-linux-'));
const packages = join(folder, 'packages');
let version = '';

beforeAll(async () => {
  if (toolPath('dpkg-deb') === null) return;
  version = (await readManifest()).version;
  writeStub('application/faxdesk', '#!/bin/sh\n', 0o755);
  writeStub('application/chrome-sandbox', '', 0o755);
  writeStub('application/resources/app.asar', '');
  writeStub('stage/package.json', JSON.stringify((await desktopPackages()).manifest));
  writeStub('fpm', `#!/bin/sh\nexec '${process.execPath}' '${FPM}' "$@"\n`, 0o755);
  process.env['CUSTOM_FPM_PATH'] = join(folder, 'fpm');
  process.env['FPM_WORDS'] = folder;
  await buildLinuxPackages(join(folder, 'application'), {
    stage: join(folder, 'stage'),
    output: packages,
    installers: true,
    electron: null,
    quiet: true,
  });
}, 120_000);

afterAll(() => {
  delete process.env['CUSTOM_FPM_PATH'];
  delete process.env['FPM_WORDS'];
  rmSync(folder, { recursive: true, force: true });
});

function writeStub(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text, { mode });
}

const wordsOf = (kind: string) => JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8')) as string[];
const deb = () => join(packages, `Faxdesk-${version}-linux-amd64.deb`);
const field = (name: string) =>
  execFileSync('dpkg-deb', ['--field', deb(), name], { encoding: 'utf8' }).trim();

describe('the packages of the application for Linux', () => {
  it('have another name than the package for servers, and none of its files', (context) => {
    needTools(context, 'dpkg-deb');
    expect(field('Package')).toBe('faxdesk-desktop');
    expect(field('Version')).toBe(version);
    expect(field('Section')).toBe('comm');
    const paths = execFileSync('dpkg-deb', ['--contents', deb()], { encoding: 'utf8' });
    expect(paths).toContain('./opt/Faxdesk/faxdesk\n');
    expect(paths).toContain('./opt/Faxdesk/resources/apparmor-profile\n');
    expect(paths).toContain('./usr/share/applications/faxdesk.desktop\n');
    expect(paths).not.toMatch(/\.\/(?:etc|usr\/bin|usr\/lib|var)\//u);
  });

  it('for RPM have the same name, and no links that those of another application have as well', (context) => {
    needTools(context, 'dpkg-deb');
    const words = wordsOf('rpm');
    expect(words[words.indexOf('--name') + 1]).toBe('faxdesk-desktop');
    expect(words[words.indexOf('--package') + 1]).toBe(join(packages, `Faxdesk-${version}-linux-x86_64.rpm`));
    expect(words).toContain('--rpm-rpmbuild-define=_build_id_links none');
    const targets = words.filter((word) => word.includes('=/')).map((word) => word.split('=')[1] ?? '');
    expect(targets.filter((path) => !/^\/(?:opt|usr\/share)\//u.test(path))).toEqual([]);
  });

  it('keep the profile at an update of both kinds', (context) => {
    needTools(context, 'sh');
    const text = readFileSync(AFTER_REMOVE, 'utf8').replaceAll('/etc/apparmor.d', folder);
    const after = (word: string) => {
      writeFileSync(join(folder, 'faxdesk-desktop'), 'profile');
      expect(spawnSync('sh', ['-c', text, 'after-remove', word]).status).toBe(0);
      return existsSync(join(folder, 'faxdesk-desktop'));
    };
    expect(['upgrade', 'failed-upgrade', 'abort-upgrade', '1', '2'].map(after)).not.toContain(false);
    expect(['remove', 'purge', '0'].map(after)).not.toContain(true);
  });
});

describe('a computer with Debian', () => {
  let server: DebianServer | null = null;
  let reason = 'it was not started';

  beforeAll(async () => {
    const debian = await serverDebian();
    if ('unavailable' in debian) reason = debian.unavailable;
    else if (toolPath('dpkg-deb') !== null) server = await startDebianServer(debian.root);
  }, 600_000);
  afterAll(() => server?.close());

  async function typed(command: string): Promise<string> {
    const { code, output } = (await server?.type(command)) ?? { code: 1, output: '' };
    expect(`${command}\n${output}\n${code}`).toBe(`${command}\n${output}\n0`);
    return output;
  }

  it('rule (desktop): keeps nothing of the application but data when its package is removed', async (context) => {
    if (server === null) return context.skip(reason);
    await copyFile(deb(), join(server.home, 'faxdesk.deb'));
    // As Ubuntu has them: they take every profile, and write down what they were asked for.
    for (const name of ['apparmor_status', 'apparmor_parser'])
      await typed(
        `printf '#!/bin/sh\\necho ${name} "$@" >>/root/asked\\n' >/usr/sbin/${name}; chmod 0755 /usr/sbin/${name}`,
      );
    await typed('mkdir -p /etc/apparmor.d /etc/faxdesk && echo {} >/etc/faxdesk/desktop.json');
    const entry = '/home/ada/.config/autostart/faxdesk.desktop';
    await typed(
      `id ada || useradd --create-home ada; runuser -u ada -- sh -c 'mkdir -p /home/ada/.config/autostart; echo TryExec=/opt/Faxdesk/faxdesk >${entry}'`,
    );
    const before = await typed(EVERY_FILE);
    // The libraries of a desktop are not in the Debian of the test.
    const install = 'dpkg --force-depends --install /root/faxdesk.deb';
    await typed(install);
    expect(await typed(`cat ${PROFILE}`)).toContain('profile faxdesk-desktop /opt/Faxdesk/faxdesk');
    expect(await typed('cat /root/asked')).toContain(`--replace --write-cache --skip-read-cache ${PROFILE}`);
    expect(await typed('stat --format %a%U /opt/Faxdesk/chrome-sandbox')).toMatch(/^(?:4)?755root\n$/u);
    await typed(install);
    expect(await typed(`cat ${PROFILE}`)).toContain('userns,');
    await typed(`test -e ${entry}`);
    await typed('SUDO_USER=ada dpkg --purge faxdesk-desktop');
    await typed(`test ! -e ${entry}`);
    expect(await typed('tail -1 /root/asked')).toBe(`apparmor_parser --remove ${PROFILE}\n`);
    expect(await typed(EVERY_FILE)).toBe(before);
    expect(await typed('cat /etc/faxdesk/desktop.json')).toBe('{}\n');
  });

  it('lets root own the sandbox of the application where accounts make no namespaces', async (context) => {
    if (server === null) return context.skip(reason);
    await copyFile(deb(), join(server.home, 'faxdesk.deb'));
    await typed('echo 0 >/root/none && mount --bind /root/none /proc/sys/user/max_user_namespaces');
    try {
      await typed('dpkg --force-depends --install /root/faxdesk.deb');
      expect(await typed('stat --format %a /opt/Faxdesk/chrome-sandbox')).toBe('4755\n');
    } finally {
      await typed('umount /proc/sys/user/max_user_namespaces && dpkg --purge faxdesk-desktop');
    }
  });
});
