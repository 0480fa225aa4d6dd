import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const DAEMONS = '/usr/lib/postfix/sbin';
const USERS = ['alice', 'bob', 'carol'] as const;

/** Sends nothing anywhere: what is not for its users is refused, and its client throws away. */
const SERVICES = `
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - discard
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

// The shell outlives neither side: when its standard input closes it ends the server, which is a daemon.
const SUPERVISOR = `
postfix -c "$1/etc" start >/dev/null 2>&1 || exit 1
cat >/dev/null
server=$(cat "$1/queue/pid/master.pid")
kill -TERM $server
while kill -0 $server 2>/dev/null; do sleep 0.05; done
`;

interface PostfixOptions {
  /** Of a server named localhost, as PEM. */
  readonly certificate: string;
  readonly key: string;
  /** Refusals by sender, such as `451 4.7.1 Come back later`. */
  readonly senders: Readonly<Record<string, string>>;
  readonly maxBytes: number;
}

/** Returns the reason why no Postfix can be started here, as a phrase; null when one can. */
export function postfixUnavailable(): string | null {
  if (process.platform !== 'linux' || !existsSync(`${DAEMONS}/master`)) return 'Postfix is not installed';
  return process.getuid?.() === 0 ? null : 'Postfix is started by root only';
}

/** A Postfix of its own in a temporary folder, on 127.0.0.1, that delivers to a Maildir of each of its users. */
export class Postfix {
  readonly #folder: string;
  readonly port: number;
  #process: ChildProcess | null = null;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  static async start(options: PostfixOptions): Promise<Postfix> {
    const folder = mkdtempSync(join(tmpdir(), 'faxdesk-postfix-'));
    const postfix = new Postfix(folder, await freePort());
    postfix.#configure(options);
    await postfix.begin();
    return postfix;
  }

  /** Again, with what is in its queue and its mailboxes. */
  async begin(): Promise<void> {
    this.#process = spawn('sh', ['-c', SUPERVISOR, 'sh', this.#folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const running = this.#process;
    await eventually(async () => {
      // Its port was taken by another program: it will never answer.
      if (running.exitCode !== null && running.exitCode !== 0) return;
      await waitForGreeting(this.port);
    });
    if (running.exitCode !== null) throw new Error(`Postfix did not start on port ${this.port}`);
  }

  async end(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null) return;
    running.stdin?.end();
    if (running.exitCode === null) await once(running, 'exit');
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The messages in each inbox, when everything that was taken is delivered. */
  async inboxes(): Promise<Record<string, string[]>> {
    await eventually(async () => {
      for (const queue of ['incoming', 'active', 'deferred', 'maildrop'])
        if ((await readdir(join(this.#folder, 'queue', queue), { recursive: true })).length > 0)
          throw new Error(`the queue ${queue} is not empty`);
    });
    const found: Record<string, string[]> = {};
    for (const user of USERS) {
      const folder = join(this.#folder, 'mail', user, 'new');
      const names = existsSync(folder) ? await readdir(folder) : [];
      found[`${user}@example.com`] = await Promise.all(
        names.map((name) => readFile(join(folder, name), 'utf8')),
      );
    }
    return found;
  }

  /** Returns the number of messages for each address, without those that have none. */
  async counts(): Promise<Record<string, number>> {
    const all = Object.entries(await this.inboxes()).map(
      ([address, mails]) => [address, mails.length] as const,
    );
    return Object.fromEntries(all.filter(([, mails]) => mails > 0));
  }

  /** Empties every inbox. */
  async clear(): Promise<void> {
    await this.inboxes();
    for (const user of USERS) rmSync(join(this.#folder, 'mail', user), { recursive: true, force: true });
  }

  #configure({ certificate, key, senders, maxBytes }: PostfixOptions): void {
    const at = (name: string) => join(this.#folder, name);
    for (const name of ['etc', 'queue', 'data', 'mail']) mkdirSync(at(name));
    const [uid, gid] = [idOf('-u'), idOf('-g')];
    for (const name of ['data', 'mail']) chownSync(at(name), uid, gid);
    spawnSync('chmod', ['755', this.#folder]);
    writeFileSync(at('etc/server.pem'), `${key}\n${certificate}\n`, { mode: 0o600 });
    writeFileSync(at('etc/dynamicmaps.cf'), '');
    writeFileSync(at('etc/master.cf'), `127.0.0.1:${this.port} inet n - n - - smtpd${SERVICES}`);
    const users = USERS.map((user) => `${user}@example.com=${user}/`).join(' ');
    const refused = Object.entries(senders).map(([sender, answer]) => `{${sender} = ${answer}}`);
    const settings = {
      compatibility_level: '3.6',
      config_directory: at('etc'),
      queue_directory: at('queue'),
      data_directory: at('data'),
      daemon_directory: DAEMONS,
      mail_owner: 'postfix',
      setgid_group: 'postdrop',
      maillog_file: at('data/mail.log'),
      maillog_file_prefixes: this.#folder,
      myhostname: 'localhost',
      mydestination: '',
      mynetworks: '',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      alias_maps: '',
      alias_database: '',
      virtual_mailbox_domains: 'example.com',
      virtual_mailbox_base: at('mail'),
      virtual_mailbox_maps: `inline:{ ${users} }`,
      virtual_mailbox_limit: '0',
      virtual_minimum_uid: '1',
      virtual_uid_maps: `static:${uid}`,
      virtual_gid_maps: `static:${gid}`,
      smtpd_relay_restrictions: 'reject_unauth_destination',
      smtpd_sender_restrictions:
        refused.length === 0 ? '' : `check_sender_access inline:{ ${refused.join(' ')} }`,
      smtpd_tls_chain_files: at('etc/server.pem'),
      smtpd_tls_security_level: 'may',
      // Nobody is made to wait for what they did wrong before.
      smtpd_error_sleep_time: '0',
      smtpd_client_connection_count_limit: '0',
      message_size_limit: String(maxBytes),
      mailbox_size_limit: '0',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(at('etc/main.cf'), lines.join(''));
  }
}

/** Of the account that the package made. */
function idOf(which: '-u' | '-g'): number {
  return Number(spawnSync('id', [which, 'postfix'], { encoding: 'utf8' }).stdout);
}

async function waitForGreeting(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [words] = (await once(socket, 'data')) as [Buffer];
    if (!words.toString().startsWith('220 ')) throw new Error(words.toString());
  } finally {
    socket.destroy();
  }
}
