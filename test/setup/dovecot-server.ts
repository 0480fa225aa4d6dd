import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { freePort } from './free-port.ts';

export const MAILBOX = 'fax@office.example';
export const PASSWORD = 'mailbox-password';
/** On a busy machine. */
const START_TIMEOUT_MS = 40_000;

/** Debian's Dovecot on this computer, with one mailbox of its own in a temporary folder. */
export class Dovecot {
  readonly port: number;
  readonly tlsPort: number;
  /** Issuer of its certificate for localhost, in PEM. */
  readonly authority: string;
  readonly #folder: string;
  readonly #owner: { readonly uid: number; readonly gid: number } | null;
  #process: ChildProcess | null = null;
  #delivered = 0;

  constructor(parts: {
    folder: string;
    ports: readonly [number, number];
    owner: { uid: number; gid: number } | null;
    authority: string;
  }) {
    this.#folder = parts.folder;
    [this.port, this.tlsPort] = parts.ports;
    this.#owner = parts.owner;
    this.authority = parts.authority;
  }

  async start(): Promise<void> {
    this.#process = spawn('dovecot', ['-F', '-c', join(this.#folder, 'dovecot.conf')], { stdio: 'ignore' });
    await this.#waitUntilReady();
  }

  async #waitUntilReady(): Promise<void> {
    for (const end = performance.now() + START_TIMEOUT_MS; ; await pause(50)) {
      try {
        return await this.withClient(async (client) => client.noop());
      } catch (error) {
        if (performance.now() > end) throw error;
      }
    }
  }

  /** Ends the server at once, as a power failure does; `start` brings it back with the same mailbox. */
  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Puts messages into the INBOX, in their order, as a mail system delivers them. */
  async deliver(...messages: (string | Uint8Array)[]): Promise<void> {
    const maildir = join(this.#folder, 'mail', MAILBOX, 'Maildir');
    for (const name of ['new', 'cur', 'tmp']) await this.#changeOwner(join(maildir, name));
    for (const message of messages) {
      this.#delivered += 1;
      const name = `${1_700_000_000 + this.#delivered}.${this.#delivered}.test`;
      const draft = join(maildir, 'tmp', name);
      await writeFile(draft, message);
      if (this.#owner) await chown(draft, this.#owner.uid, this.#owner.gid);
      await rename(draft, join(maildir, 'new', name));
    }
  }

  /** Keeps the mailbox as it is now, for `putBack`. */
  async keep(): Promise<void> {
    await cp(this.#mailbox, `${this.#mailbox}.kept`, { recursive: true, preserveTimestamps: true });
  }

  /** Puts the mailbox back as it was kept, with the UIDs of its messages. */
  async putBack(): Promise<void> {
    await rm(this.#mailbox, { recursive: true, force: true });
    await cp(`${this.#mailbox}.kept`, this.#mailbox, { recursive: true, preserveTimestamps: true });
    if (this.#owner) spawnSync('chown', ['-R', `${this.#owner.uid}:${this.#owner.gid}`, this.#mailbox]);
  }

  get #mailbox(): string {
    return join(this.#folder, 'mail', MAILBOX);
  }

  async #changeOwner(path: string): Promise<void> {
    await mkdir(path, { recursive: true });
    if (!this.#owner) return;
    const { uid, gid } = this.#owner;
    for (let folder = path; folder.length > join(this.#folder, 'mail').length; folder = join(folder, '..'))
      await chown(folder, uid, gid);
  }

  /** Number of messages in each folder; empty ones are left out. */
  async folders(): Promise<Record<string, number>> {
    return this.withClient(async (client) => {
      const counts: Record<string, number> = {};
      for (const { path } of await client.list()) {
        const status = await client.status(path, { messages: true });
        const messages = status === false ? 0 : (status.messages ?? 0);
        if (messages > 0) counts[path] = messages;
      }
      return counts;
    });
  }

  async withClient<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: this.port,
      secure: false,
      doSTARTTLS: false,
      auth: { user: MAILBOX, pass: PASSWORD },
      logger: false,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout().catch(() => undefined);
    }
  }
}

/** Starts a server; Dovecot has to be installed. */
export async function startDovecot(): Promise<Dovecot> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-dovecot-'));
  const ports = [await freePort(), await freePort()] as const;
  const owner = mailOwner();
  await mkdir(join(folder, 'mail'), { recursive: true });
  const root = await issueRoot('Office', Date.now());
  const { certificate, key } = await issueServer(root, ['localhost'], Date.now());
  await writeFile(join(folder, 'cert.pem'), certificate);
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  if (owner) await chown(join(folder, 'mail'), owner.uid, owner.gid);
  // Of the folder that mkdtemp makes for its owner alone.
  spawnSync('chmod', ['755', folder]);
  await writeFile(join(folder, 'dovecot.conf'), configuration(folder, ports, owner !== null));
  const server = new Dovecot({ folder, ports, owner, authority: root.certificate });
  await server.start();
  return server;
}

/** Root starts it for an account without rights; anybody else for themselves. */
function mailOwner(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function configuration(folder: string, [port, tlsPort]: readonly [number, number], isRoot: boolean): string {
  const user = isRoot ? 'nobody' : spawnSync('id', ['-un'], { encoding: 'utf8' }).stdout.trim();
  const group = isRoot ? 'nogroup' : spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout.trim();
  return `protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
auth_failure_delay = 0
mail_max_userip_connections = 50
default_login_user = ${user}
default_internal_user = ${user}
default_internal_group = ${group}
first_valid_uid = 1
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
}
