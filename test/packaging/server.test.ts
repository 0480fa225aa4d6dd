import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BY_THEIR_PLACE } from '../../scripts/build-gateway.ts';
import { sizeOf } from '../../scripts/pack/server/build-archives.ts';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { RELEASE } from '../../server/config/release.ts';
import { type DebianServer, startDebianServer } from '../setup/debian/debian-server.ts';
import { serverDebian } from '../setup/debian/server-debian.ts';
import { fencedBlocks } from '../setup/fenced-blocks.ts';
import type { Skippable } from '../setup/tools.ts';
import { expectContainer } from './container.ts';
import { namesInBill } from './contents.ts';
import { madeFor } from './packed.ts';
import { packServers, type ServerPackages } from './packed-server.ts';

const NEXT = '0.2.0';
const LONG_MS = 600_000;
/** Pages in the order in which a person follows them; a page may be left for another one and taken up again at a heading. */
const SET_UP = [
  ['docs/operating/install.md', 'The package'],
  ['docs/operating/postgresql.md', 'On the same server'],
  ['docs/operating/install.md', 'Start'],
  ['docs/operating/install.md', 'Other computers'],
  ['docs/operating/install.md', 'The log'],
] as const;

/** Returns the commands that a page prints below a heading. */
function commandsOf(page: string, heading: string): string[] {
  const blocks = fencedBlocks(page).filter((block) => block.language === 'sh' && block.heading === heading);
  const lines = blocks.flatMap(({ text }) => text.split('\n')).map((line) => line.replace(/\s+#\s.*$/u, ''));
  const commands = lines.filter((line) => line.trim() !== '');
  expect(commands, `${page}: ${heading}`).not.toEqual([]);
  return commands;
}

/** Starts a script of the home folder that listens on a port, and keeps its process number. */
async function startServer(server: DebianServer, name: string, port: number): Promise<void> {
  const node = '/usr/lib/faxdesk/bin/node';
  await server.type(`setsid ${node} ${name}.mjs >/dev/null & echo $! >${name}.pid`);
  await server.type(`until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.1; done`);
}

/** Packages that others use where a person has installed them. */
const NEVER_SHIPPED = ['pg-native'];

/** Has the gateway draw a page of a text. */
const PREVIEW = `
import { readFileSync } from 'node:fs';
const headers = { 'X-API-Key': readFileSync('/var/lib/faxdesk/installation.key', 'utf8').trim() };
const body = new FormData();
body.append('file', new File(['Referral'], 'words.txt', { type: 'text/plain' }));
const url = 'http://127.0.0.1:8080/fax/preview';
const { preview_id } = await (await fetch(url, { method: 'POST', headers, body })).json();
const page = await fetch(url + '/' + preview_id + '/1.png', { headers });
console.log(page.status, page.headers.get('content-type'));
`;

/** A service that has no bucket, over HTTPS. */
const NO_BUCKET = `
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
const [cert, key] = ['service.pem', 'service.key'].map((name) => readFileSync(name));
const text = '<?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>none</Message></Error>';
createServer({ cert, key }, (request, response) => {
  request.resume();
  response.writeHead(404, { 'Content-Type': 'application/xml' }).end(text);
}).listen(9443);
`;
const SERVICE = 'fax.office.example';
/** A proxy that finds every name on this computer, and writes down what it is asked for. */
const PROXY = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
createServer().on('connect', (request, client, head) => {
  appendFileSync('proxy.log', request.url + '\\n');
  const there = connect(request.url.split(':')[1], '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection Established\\r\\n\\r\\n');
    there.write(head);
    there.pipe(client).pipe(there);
  });
  for (const socket of [client, there]) socket.on('error', () => [client, there].forEach((each) => each.destroy()));
}).listen(3128, '127.0.0.1');
`;

let packages: ServerPackages | string = 'it was not packed';
let debian: { root: string } | { unavailable: string } = { unavailable: 'it was not looked for' };

beforeAll(async () => {
  debian = await serverDebian();
  if ('root' in debian) packages = await packServers([RELEASE, NEXT]);
}, LONG_MS);

afterAll(async () => {
  if (typeof packages !== 'string') await packages.close();
});

test('the package holds only what runs, for Linux on x64, in less than 250 MB', async (context) => {
  if (typeof packages === 'string') return context.skip(packages);
  const { stage } = packages;
  expect(await sizeOf(stage)).toBeLessThan(250_000_000);
  const entries = await readdir(stage, { recursive: true, withFileTypes: true });
  const files = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
  expect(files.filter((path) => /\.(?:tsx?|[cm]ts|map)$/u.test(path))).toEqual([]);
  const binaries = files.filter((path) => /\.(?:node|so(?:\.[\d.]+)?)$|\/bin\/node$/u.test(path));
  expect(binaries.length).toBeGreaterThan(4);
  expect(new Set(await Promise.all(binaries.map(madeFor)))).toEqual(new Set(['linux x64']));
  // The others are in the built files, where esbuild has found each of them.
  for (const name of BY_THEIR_PLACE.filter((it) => !NEVER_SHIPPED.includes(it)))
    expect(existsSync(join(stage, 'node_modules', name)), name).toBe(true);
  expect(await readFile(join(stage, 'systemd/faxdesk.service'), 'utf8')).not.toContain('/usr/lib/faxdesk');
  const licenses = await readFile(join(stage, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['Node.js', 'sharp ', 'kysely ', 'react ', 'DejaVu', 'Droid Sans'])
    expect(licenses).toContain(name);
  const names = await namesInBill(await readFile(join(stage, 'sbom.cdx.json'), 'utf8'), stage);
  expect(names).toEqual(expect.arrayContaining(['node', 'sharp', 'kysely', 'react']));
});

describe('a server with Debian that is set up from the pages alone', () => {
  const servers: DebianServer[] = [];
  let first: DebianServer;

  async function newServer(): Promise<DebianServer> {
    if (!('root' in debian)) throw new Error(debian.unavailable);
    const server = await startDebianServer(debian.root);
    servers.push(server);
    await server.type('cd /root');
    // The installation of its package, which happened before there was an init, would have started it.
    await expectTyped(server, 'systemctl start postgresql');
    return server;
  }

  /** Puts the package of a release into the folder of the person. */
  async function bring(server: DebianServer, release: string): Promise<void> {
    if (typeof packages === 'string') throw new Error(packages);
    const file = packages.files[release] ?? '';
    await copyFile(file, join(server.home, basename(file)));
  }

  /** Skips the running test where there is no package or no Debian. */
  function need(context: Skippable): void {
    if (!('root' in debian)) context.skip(debian.unavailable);
    if (typeof packages === 'string') context.skip(packages);
  }

  /** Types every command that pages print below headings; returns what each printed. */
  async function follow(
    server: DebianServer,
    parts: readonly (readonly [page: string, heading: string])[],
  ): Promise<Map<string, string>> {
    const printed = new Map<string, string>();
    for (const [page, heading] of parts)
      for (const command of commandsOf(page, heading))
        printed.set(command, await expectTyped(server, command));
    return printed;
  }

  async function expectTyped(server: DebianServer, command: string): Promise<string> {
    const { code, output } = await server.type(command);
    expect(`${command}\n${output}\n${code}`).toBe(`${command}\n${output}\n0`);
    return output;
  }

  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  test(
    'is installed, runs on PostgreSQL, serves HTTPS and has an owner',
    async (context) => {
      need(context);
      first = await newServer();
      await bring(first, RELEASE);
      const said = await follow(first, SET_UP);
      expect(said.get('sudo faxdesk https show')).toContain('8443');
      // It has no provider and no backup yet, which are faults.
      expect((await first.type('faxdesk diagnose')).output).toMatch(/Database: +postgres/u);
    },
    LONG_MS,
  );

  test('keeps its files to its account, also after commands of root', async (context) => {
    need(context);
    expect(await expectTyped(first, 'find /var/lib/faxdesk /var/backups/faxdesk ! -user faxdesk')).toBe('');
    const modes = 'stat --format="%a %U:%G" /var/lib/faxdesk /var/backups/faxdesk /etc/faxdesk/faxdesk.env';
    expect((await expectTyped(first, modes)).split('\n')).toEqual([
      '700 faxdesk:faxdesk',
      '700 faxdesk:faxdesk',
      '640 root:faxdesk',
      '',
    ]);
  });

  test('has a unit that systemd understands, and completion', async (context) => {
    need(context);
    expect(await expectTyped(first, 'systemd-analyze verify faxdesk.service')).toBe('');
    const load =
      '. /usr/share/bash-completion/bash_completion; _completion_loader faxdesk; complete -p faxdesk';
    expect(await expectTyped(first, `bash -c '${load} | cat'`)).toBe('complete -F _faxdesk faxdesk\n');
    expect(await expectTyped(first, 'runuser -u nobody -- faxdesk --version')).toBe(`${RELEASE}\n`);
  });

  test('opens documents below its unit with all that confines them, and stays stopped after a wrong value', async (context) => {
    need(context);
    if (!first.hasSystemd) context.skip('this computer does not let systemd run');
    await writeFile(join(first.home, 'preview.mjs'), PREVIEW);
    expect(await expectTyped(first, '/usr/lib/faxdesk/bin/node preview.mjs')).toBe('200 image/png\n');
    const log = await expectTyped(first, 'faxdesk logs --json --lines 200');
    for (const measure of [
      'first to end without memory',
      'a memory limit',
      'a network namespace without network',
    ])
      expect(log).toContain(measure);
    await expectTyped(first, 'echo PORT=99999 >>/etc/faxdesk/faxdesk.env');
    expect(await first.type('systemctl restart faxdesk')).toMatchObject({ code: 1 });
    expect(await expectTyped(first, 'systemctl show faxdesk -P ExecMainStatus -P ActiveState')).toBe(
      '9\nfailed\n',
    );
    expect(await expectTyped(first, 'faxdesk logs --lines 20')).toContain('PORT must be a number');
    await expectTyped(first, 'sed -i /PORT=99999/d /etc/faxdesk/faxdesk.env');
    await expectTyped(first, 'systemctl start faxdesk && faxdesk health');
  });

  test(
    'trusts an authority of the store of the system and goes through a proxy, as the page says, and so do its commands',
    async (context) => {
      need(context);
      const root = await issueRoot('Office', Date.now());
      const { certificate, key } = await issueServer(root, [SERVICE], Date.now());
      const files = { 'office-root.crt': root.certificate, 'service.pem': certificate, 'service.key': key };
      for (const [name, text] of Object.entries({ ...files, 'service.mjs': NO_BUCKET, 'proxy.mjs': PROXY }))
        await writeFile(join(first.home, name), text);
      await expectTyped(first, `echo '127.0.0.1 ${SERVICE}' >>/etc/hosts`);
      await startServer(first, 'service', 9443);
      const names = ['S3_BUCKET', 'S3_ENDPOINT_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
      const address = `https://${SERVICE}:9443`;
      const values = ['faxes', address, 'a', 'b'].map((value, at) => `${names[at]}=${value}`);
      await expectTyped(
        first,
        `faxdesk settings change S3_PATH_STYLE=true PUBLIC_API_URL=${address} ${values.join(' ')}`,
      );
      expect((await first.type('faxdesk storage check')).output).toContain(
        `The certificate of ${SERVICE} is not from an authority that this computer trusts.`,
      );
      expect((await first.type('faxdesk diagnose')).output).toContain('providers do not trust');
      await follow(first, [['docs/network.md', 'Certificates']]);
      expect((await first.type('faxdesk storage check')).output).toContain(
        'The bucket faxes does not exist.',
      );
      expect((await first.type('faxdesk diagnose')).output).toContain('which answers 404');
      // Only the proxy finds the name from here on.
      await expectTyped(first, `sed --in-place '/ ${SERVICE}$/d' /etc/hosts`);
      await expectTyped(first, `echo '127.0.0.1 proxy.example.office' >>/etc/hosts`);
      await startServer(first, 'proxy', 3128);
      await follow(first, [['docs/network.md', 'An HTTP proxy']]);
      expect((await first.type('faxdesk storage check')).output).toContain(
        'The bucket faxes does not exist.',
      );
      expect((await first.type('faxdesk diagnose')).output).toContain('which answers 404');
      const targets = (await expectTyped(first, 'cat proxy.log')).trim().split('\n');
      expect(targets.length).toBeGreaterThan(1);
      expect(new Set(targets)).toEqual(new Set([`${SERVICE}:9443`]));
      await expectTyped(first, 'sed --in-place /HTTPS_PROXY/d /etc/faxdesk/faxdesk.env && faxdesk restart');
      await expectTyped(first, `faxdesk settings remove S3_PATH_STYLE PUBLIC_API_URL ${names.join(' ')}`);
      await expectTyped(first, 'kill $(cat service.pid proxy.pid)');
    },
    LONG_MS,
  );

  test(
    'runs from the tarball, with a unit that systemd understands and rates below 3',
    async (context) => {
      need(context);
      const server = await newServer();
      if (typeof packages !== 'string')
        await copyFile(packages.tarball, join(server.home, basename(packages.tarball)));
      await follow(server, [['docs/operating/install.md', 'Without the package']]);
      expect(await expectTyped(server, 'systemd-analyze verify faxdesk.service')).toBe('');
      const unit = '/etc/systemd/system/faxdesk.service';
      const rated = await expectTyped(server, `systemd-analyze security --offline=true --no-pager ${unit}`);
      const rating = /Overall exposure level for faxdesk\.service: ([\d.]+)/u.exec(rated)?.[1];
      expect(Number(rating)).toBeGreaterThan(0);
      expect(Number(rating), rated).toBeLessThan(3);
      expect(await expectTyped(server, 'find /var/lib/faxdesk ! -user faxdesk')).toBe('');
    },
    LONG_MS,
  );

  test(
    'is backed up, restored elsewhere, and purged there without losing anything',
    async (context) => {
      need(context);
      await follow(first, [['docs/operating/backup.md', '']]);
      await expectTyped(first, 'cp /var/backups/faxdesk/monday.zip /root/');
      const second = await newServer();
      await bring(second, RELEASE);
      await follow(second, [['docs/operating/install.md', 'The package']]);
      expect(await second.type('systemctl is-active faxdesk')).toMatchObject({ code: 3 });
      await copyFile(join(first.home, 'monday.zip'), join(second.home, 'monday.zip'));
      await expectTyped(second, 'cp /root/monday.zip /var/backups/faxdesk/');
      await follow(second, [['docs/operating/backup.md', 'Restore elsewhere']]);
      expect(await expectTyped(second, 'faxdesk users list')).toContain('Maria Example');
      await expectTyped(second, "echo 'FAXDESK_FOLDERS=/srv' >>/etc/faxdesk/faxdesk.env");
      await expectTyped(second, 'faxdesk logs --lines 1');
      const purged = await expectTyped(second, 'apt purge faxdesk');
      expect(purged).toContain('are kept in /var/lib/faxdesk');
      expect(purged).not.toContain('not empty');
      expect(await second.type('ls /etc/faxdesk /usr/lib/faxdesk')).toMatchObject({ code: 2 });
      const kept = await expectTyped(second, 'cat /var/lib/faxdesk/removed-faxdesk.env');
      expect(kept).toContain('FAXDESK_FOLDERS=/srv');
      await follow(second, [['docs/operating/install.md', 'The package']]);
      await expectTyped(second, 'systemctl enable --now faxdesk');
      expect(await expectTyped(second, 'faxdesk users list')).toContain('Maria Example');
    },
    LONG_MS,
  );

  test(
    'is upgraded to the next release, and taken back',
    async (context) => {
      need(context);
      await bring(first, NEXT);
      await expectTyped(first, "echo '# kept' >>/etc/faxdesk/faxdesk.env");
      // Without a backup nothing is upgraded, and what ran runs on.
      await expectTyped(first, 'chown root /var/backups/faxdesk');
      const refused = await first.type(`apt install ./faxdesk_${NEXT}_amd64.deb`);
      expect(refused.output).toContain(`There is no backup, so Faxdesk ${RELEASE} was not upgraded.`);
      expect(refused.code).not.toBe(0);
      await expectTyped(first, 'chown faxdesk /var/backups/faxdesk');
      await expectTyped(first, 'faxdesk health');
      expect(await expectTyped(first, 'faxdesk gateways list')).not.toContain(NEXT);
      const back = `faxdesk-way-back ./faxdesk_${RELEASE}_amd64.deb`;
      expect((await first.type(back)).output).toContain('Nothing was changed.');
      await follow(first, [['docs/operating/upgrade.md', '']]);
      expect(await expectTyped(first, 'faxdesk gateways list')).toContain(NEXT);
      await expectTyped(first, 'faxdesk mailboxes create --label "Of the next release"');
      await follow(first, [['docs/operating/upgrade.md', 'Way back']]);
      const gateways = await expectTyped(first, 'faxdesk gateways list');
      expect(gateways).toContain(RELEASE);
      expect(gateways).not.toContain(NEXT);
      expect(await expectTyped(first, 'faxdesk mailboxes list')).not.toContain('Of the next release');
      expect(await expectTyped(first, 'tail -n 1 /etc/faxdesk/faxdesk.env')).toBe('# kept\n');
    },
    LONG_MS,
  );

  test(
    'is the container of the Dockerfile, over a root folder that is only read',
    async (context) => {
      need(context);
      if (typeof packages !== 'string') await expectContainer(await newServer(), packages.stage);
    },
    LONG_MS,
  );
});
