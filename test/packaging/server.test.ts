import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RELEASE } from '../../server/config/release.ts';
import { debianRoot } from '../setup/debian/debian-root.ts';
import { type DebianServer, startDebianServer } from '../setup/debian/debian-server.ts';
import { fencedBlocks } from '../setup/fenced-blocks.ts';
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

let packages: ServerPackages | string = 'it was not packed';
let debian: { root: string } | { unavailable: string } = { unavailable: 'it was not looked for' };

beforeAll(async () => {
  debian = await debianRoot({
    name: 'server',
    suite: 'bookworm',
    packages: [
      'adduser',
      'bash-completion',
      'ca-certificates',
      'init-system-helpers',
      'libstdc++6',
      'postgresql',
      'sudo',
      'systemd',
    ],
  });
  if ('root' in debian) packages = await packServers([RELEASE, NEXT]);
}, LONG_MS);

afterAll(async () => {
  if (typeof packages !== 'string') await packages.close();
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
      if (typeof packages === 'string') return context.skip('root' in debian ? packages : debian.unavailable);
      first = await newServer();
      await bring(first, RELEASE);
      const said = new Map<string, string>();
      for (const [page, heading] of SET_UP)
        for (const command of commandsOf(page, heading)) said.set(command, await expectTyped(first, command));
      expect(said.get('sudo faxdesk https status')).toContain('8443');
      expect(await expectTyped(first, 'faxdesk diagnose')).toMatch(/Database: +postgres/u);
    },
    LONG_MS,
  );
});
