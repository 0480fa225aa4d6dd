import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'ldapts';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { needTools, type Skippable } from './tools.ts';

const BASE = 'dc=office,dc=example';
export const READER = `cn=reader,${BASE}`;
export const READER_PASSWORD = 'directory-password';
const ADMIN = { dn: `cn=admin,${BASE}`, password: 'admin-password' };

/** Entry of a person; `id` is the name in its distinguished name. */
export interface Person {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string | string[]>>;
}

/** Debian's OpenLDAP server on this computer, with one directory of its own in a temporary folder. */
export class Slapd {
  readonly url: string;
  readonly tlsUrl: string;
  /** Issuer of its certificate for localhost, in PEM. */
  readonly authority: string;
  readonly #folder: string;
  #process: ChildProcess | null = null;

  constructor(folder: string, authority: string, [port, tlsPort]: readonly [number, number]) {
    this.#folder = folder;
    this.authority = authority;
    this.url = `ldap://127.0.0.1:${port}`;
    this.tlsUrl = `ldaps://localhost:${tlsPort}`;
  }

  async start(): Promise<void> {
    const addresses = `${this.url}/ ${this.tlsUrl.replace('localhost', '127.0.0.1')}/`;
    // A level for debugging keeps it in the foreground.
    this.#process = spawn('slapd', ['-f', join(this.#folder, 'slapd.conf'), '-h', addresses, '-d', '0'], {
      stdio: 'ignore',
    });
    await eventually(() => this.#asAdmin(async () => undefined));
  }

  /** Stops answering, and keeps the connections open. */
  async pause(): Promise<void> {
    const { pid } = this.#process ?? {};
    this.#process?.kill('SIGSTOP');
    // The signal reaches the threads one after another, and one of them may still answer.
    await eventually(() => {
      const threads = readdirSync(`/proc/${pid}/task`);
      const states = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1'));
      if (!states.every((state) => /\) T /u.test(state))) throw new Error('slapd runs');
    });
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async add(...people: readonly Person[]): Promise<void> {
    await this.#asAdmin(async (client) => {
      for (const { id, attributes } of people)
        await client.add(`cn=${id},${BASE}`, {
          objectClass: ['inetOrgPerson'],
          cn: id,
          sn: id,
          ...attributes,
        });
    });
  }

  async addBase(): Promise<void> {
    await this.#asAdmin(async (client) => {
      await client.add(BASE, { objectClass: ['dcObject', 'organization'], dc: 'office', o: 'Office' });
      await client.add(READER, {
        objectClass: ['organizationalRole', 'simpleSecurityObject'],
        cn: 'reader',
        userPassword: READER_PASSWORD,
      });
    });
  }

  async #asAdmin(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ url: this.url, connectTimeout: 5000 });
    try {
      await client.bind(ADMIN.dn, ADMIN.password);
      await work(client);
    } finally {
      await client.unbind();
    }
  }
}

/** Starts a server; skips the running test, with the reason, where OpenLDAP is not installed. */
export async function needSlapd(context: Skippable): Promise<Slapd> {
  needTools(context, 'slapd');
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-slapd-'));
  await mkdir(join(folder, 'store'));
  const root = await issueRoot('Office', Date.now());
  const { certificate, key } = await issueServer(root, ['localhost'], Date.now());
  await writeFile(join(folder, 'cert.pem'), certificate);
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  await writeFile(join(folder, 'core.schema'), coreSchema());
  await writeFile(join(folder, 'slapd.conf'), configuration(folder));
  const server = new Slapd(folder, root.certificate, [await freePort(), await freePort()]);
  await server.start();
  await server.addBase();
  return server;
}

const SCHEMAS = ['/etc/ldap/schema', '/etc/openldap/schema'].find((path) => existsSync(path)) ?? '';

/** The schema of OpenLDAP with fax numbers as Active Directory has them: a text of which parts are found. */
function coreSchema(): string {
  return readFileSync(join(SCHEMAS, 'core.schema'), 'utf8').replace(
    /(attributetype \( 2\.5\.4\.23 NAME [^\n]*\n[^\n]*\n)\s*SYNTAX [\d.]+ \)/u,
    '$1\tEQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )',
  );
}

function configuration(folder: string): string {
  const modules = '/usr/lib/ldap';
  return `include ${folder}/core.schema
include ${SCHEMAS}/cosine.schema
include ${SCHEMAS}/inetorgperson.schema
pidfile ${folder}/slapd.pid
${existsSync(modules) ? `modulepath ${modules}\nmoduleload back_mdb` : ''}
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
database mdb
suffix "${BASE}"
rootdn "${ADMIN.dn}"
rootpw ${ADMIN.password}
directory ${folder}/store
access to attrs=userPassword by anonymous auth by * none
access to * by users read by * none
`;
}
