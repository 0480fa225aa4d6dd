import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Result of a command that was typed. */
interface TypedResult {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

const SYSTEMCTL = fileURLToPath(new URL('./stand-in-systemctl.sh', import.meta.url));

/**
 * Begins a shell in the root folder: over a fixed Debian, with processes and a network of its own, so that the ports are free and
 * everything ends with it.
 */
const BEGIN = `
set -e
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
mount -t proc proc "$2/root/proc"
mount --rbind /dev "$2/root/dev"
mount --bind "$2/home" "$2/root/root"
mount -t tmpfs tmpfs "$2/root/run"
mkdir -p "$2/root/run/systemd/system" "$2/root/run/lock"
ip link set lo up
hostname fax
echo '127.0.0.1 localhost fax' >"$2/root/etc/hosts"
exec chroot "$2/root" /usr/bin/env -i HOME=/root USER=root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \\
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /bin/bash
`;

/** A server with Debian on which commands are typed one after the other. */
export class DebianServer {
  readonly #folder: string;
  readonly #shell: ChildProcessWithoutNullStreams;
  #output = '';
  #count = 0;
  #arrived: () => void = () => undefined;

  constructor(folder: string, shell: ChildProcessWithoutNullStreams) {
    this.#folder = folder;
    this.#shell = shell;
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

  /** Home folder of the person who types, as this computer sees it. */
  get home(): string {
    return join(this.#folder, 'home');
  }

  /** Ends everything that runs there, and removes it. */
  async close(): Promise<void> {
    const closed = once(this.#shell, 'close');
    this.#shell.kill('SIGKILL');
    await closed;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Starts a server over an unpacked Debian. */
export async function startDebianServer(root: string): Promise<DebianServer> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-server-'));
  for (const name of ['upper', 'work', 'root', 'home']) await mkdir(join(folder, name));
  const local = join(folder, 'upper/usr/bin');
  await mkdir(local, { recursive: true });
  await copyFile(SYSTEMCTL, join(local, 'systemctl'));
  await chmod(join(local, 'systemctl'), 0o755);
  // No package is fetched from anywhere; the person answers yes.
  const settings = join(folder, 'upper/etc/apt/apt.conf.d');
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'yes'), 'APT::Get::Assume-Yes "true";\nAPT::Sandbox::User "root";\n');
  const words = ['--mount', '--net', '--uts', '--pid', '--fork', '--kill-child', 'sh', '-c', BEGIN, 'sh'];
  return new DebianServer(folder, spawn('unshare', [...words, root, folder]));
}
