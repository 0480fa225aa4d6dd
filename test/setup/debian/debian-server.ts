import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Result of a command that was typed. */
interface TypedResult {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

const BOOT_TRIES = 150;
const BOOT_PAUSE_MS = 100;
const SYSTEMCTL = fileURLToPath(new URL('./stand-in-systemctl.sh', import.meta.url));

/** Lays the root folder over a fixed Debian. */
const ROOT_FOLDER = `
set -e
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
cd "$2/root"
mount -t proc proc proc
mount -t tmpfs tmpfs run
mount --bind "$2/home" root
ip link set lo up
hostname fax
echo fax >etc/hostname
echo '127.0.0.1 localhost fax' >etc/hosts
`;

/** Begins systemd as the first process. Devices are those that every container has. */
const BEGIN_SYSTEMD = `${ROOT_FOLDER}
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs dev
mkdir -p dev/pts dev/shm before
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mount -t devpts devpts dev/pts -o newinstance,ptmxmode=0666
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
pivot_root . before
umount -l /before
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=null systemd.unit=multi-user.target
`;

/** Begins a shell alone, where this computer does not let systemd run: a program stands in for it. */
const BEGIN_SHELL = `${ROOT_FOLDER}
mount --rbind /dev dev
mkdir -p run/systemd/system run/lock
shift 2
exec chroot . "$@"
`;

const SHELL = [
  '/usr/bin/env',
  '-i',
  'HOME=/root',
  'USER=root',
  'TERM=dumb',
  'LANG=C.UTF-8',
  'DEBIAN_FRONTEND=noninteractive',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  '/bin/bash',
];
/** The processes and the network there are its own: the ports are free, and everything ends with it. */
const APART = ['--mount', '--net', '--uts', '--ipc', '--pid', '--cgroup', '--fork', '--kill-child'];

/** A server with Debian on which commands are typed one after the other. */
export class DebianServer {
  readonly #folder: string;
  readonly #shell: ChildProcessWithoutNullStreams;
  /** Everything there ends with it. */
  readonly #first: ChildProcess;
  #output = '';
  #count = 0;
  #arrived: () => void = () => undefined;

  constructor(folder: string, shell: ChildProcessWithoutNullStreams, first: ChildProcess) {
    this.#folder = folder;
    this.#shell = shell;
    this.#first = first;
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#arrived();
      });
    shell.once('close', () => this.#arrived());
  }

  /** Types a command, and waits until it has ended. */
  async type(command: string): Promise<TypedResult> {
    this.#count += 1;
    const mark = `<ended ${this.#count} `;
    this.#output = '';
    // Whatever a command starts keeps neither the input nor the end of the line.
    this.#shell.stdin.write(`{ ${command}\n} 2>&1 </dev/null\necho "${mark}$?>"\n`);
    for (;;) {
      const at = this.#output.indexOf(mark);
      const end = this.#output.indexOf('>', at);
      if (at !== -1 && end !== -1)
        return {
          code: Number(this.#output.slice(at + mark.length, end)),
          output: this.#output.slice(0, at),
        };
      if (this.#shell.exitCode !== null) throw new Error(`The shell has ended: ${this.#output}`);
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  /** True when systemd itself runs the units there. */
  get hasSystemd(): boolean {
    return this.#first !== this.#shell;
  }

  /** Home folder of the person who types, as this computer sees it. */
  get home(): string {
    return join(this.#folder, 'home');
  }

  /** Ends everything that runs there, and removes it. */
  async close(): Promise<void> {
    const closed = once(this.#shell, 'close');
    this.#first.kill('SIGKILL');
    await closed;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Starts a server over an unpacked Debian: with systemd as its first process where this computer allows that, otherwise with a program
 * that runs its units.
 */
export async function startDebianServer(root: string): Promise<DebianServer> {
  const folder = await makeFolders();
  const init = spawn('unshare', [...APART, 'sh', '-c', BEGIN_SYSTEMD, 'sh', root, folder], {
    stdio: 'ignore',
  });
  if (await isRunning(init))
    return new DebianServer(folder, spawn('nsenter', [...inside(init), ...SHELL]), init);
  init.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  return await startWithoutSystemd(root);
}

async function startWithoutSystemd(root: string): Promise<DebianServer> {
  const folder = await makeFolders();
  const programs = join(folder, 'upper/usr/bin');
  await mkdir(programs, { recursive: true });
  await copyFile(SYSTEMCTL, join(programs, 'systemctl'));
  await chmod(join(programs, 'systemctl'), 0o755);
  const shell = spawn('unshare', [...APART, 'sh', '-c', BEGIN_SHELL, 'sh', root, folder, ...SHELL]);
  return new DebianServer(folder, shell, shell);
}

/** Makes the folders of a server. No package is fetched from anywhere; the person answers yes. */
async function makeFolders(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-server-'));
  for (const name of ['upper', 'work', 'root', 'home']) await mkdir(join(folder, name));
  const settings = join(folder, 'upper/etc/apt/apt.conf.d');
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'yes'), 'APT::Get::Assume-Yes "true";\nAPT::Sandbox::User "root";\n');
  return folder;
}

/** Returns the words with which a program gets to where systemd runs. */
function inside(init: ChildProcess): string[] {
  const [first = ''] = readFileSync(`/proc/${init.pid}/task/${init.pid}/children`, 'utf8').split(' ');
  return [`--target=${first}`, '--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup', '--root', '--wd'];
}

/** Waits until systemd has started its units; false when it does not come so far. */
async function isRunning(init: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < BOOT_TRIES && init.exitCode === null; tries += 1) {
    await pause(BOOT_PAUSE_MS);
    const { stdout } = spawnSync('nsenter', [...inside(init), '/bin/systemctl', 'is-system-running'], {
      encoding: 'utf8',
    });
    if (/^(?:running|degraded)/u.test(stdout)) return true;
  }
  return false;
}
