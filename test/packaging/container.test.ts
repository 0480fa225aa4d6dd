import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DebianServer, startDebianServer } from '../setup/debian/debian-server.ts';
import { serverDebian } from '../setup/debian/server-debian.ts';
import { keptInstructions } from './dockerfile.ts';
import { packServers, type ServerPackages } from './packed-server.ts';

const LONG_MS = 600_000;

let packages: ServerPackages | string = 'it was not packed';
let server: DebianServer | null = null;
let reason: string | null = null;

beforeAll(async () => {
  const debian = await serverDebian();
  packages = 'root' in debian ? await packServers([]) : debian.unavailable;
  if (typeof packages === 'string') reason = packages;
  else if ('root' in debian) server = await startDebianServer(debian.root);
}, LONG_MS);

afterAll(async () => {
  await server?.close();
  if (typeof packages !== 'string') await packages.close();
});

const wordsOf = (name: string): string[] =>
  keptInstructions().flatMap((it) => (it.name === name ? [it.words] : []));
/** The words of an instruction that are a list of JSON. */
const listOf = (name: string): string[] =>
  JSON.parse(/\[.*\]$/u.exec(wordsOf(name)[0] ?? '')?.[0] ?? '[]') as string[];

async function typed(command: string): Promise<string> {
  const { code, output } = (await server?.type(command)) ?? { code: -1, output: '' };
  expect(`${command}\n${output}\n${code}`).toBe(`${command}\n${output}\n0`);
  return output;
}

test(
  'the steps of the Dockerfile make a gateway that runs as its account over a root folder that is only read',
  async (context) => {
    if (server === null || typeof packages === 'string') return context.skip(reason ?? 'it was not packed');
    execFileSync('cp', ['--archive', packages.stage, join(server.home, 'faxdesk')]);
    for (const { name, words } of keptInstructions()) {
      // No package is fetched here: those that it names are in the Debian of the test.
      if (name === 'RUN' && words.includes('apt-get'))
        await typed(`dpkg --status ${/recommends ([^&]*)/u.exec(words)?.[1]}`);
      else if (name === 'RUN') await typed(words);
      else if (name === 'COPY') await typed(`cp --archive /root/faxdesk ${words.split(' ').at(-1)}`);
    }
    const [user = '', group = ''] = wordsOf('USER')[0]?.split(':') ?? [];
    const volume = wordsOf('VOLUME')[0];
    const begin = [
      `mount --bind ${volume} ${volume}`,
      'mount -t tmpfs tmpfs /tmp',
      'mount -o remount,bind,ro /',
      `exec setpriv --reuid=${user} --regid=${group} --clear-groups --no-new-privs --bounding-set=-all env ${wordsOf('ENV')[0]} ${listOf('ENTRYPOINT').join(' ')} ${listOf('CMD').join(' ')}`,
    ].join(' && ');
    await typed(`(unshare --mount sh -c '${begin}' >/root/printed 2>&1 &)`);
    await typed(
      "timeout 60 sh -c 'until grep -q ready /root/printed; do sleep 0.1; done' || cat /root/printed",
    );
    expect(await typed('cat /root/printed')).toContain('ready at http');
    const check = listOf('HEALTHCHECK').join(' ');
    const asUser = `setpriv --reuid=${user} --regid=${group} --clear-groups env ${wordsOf('ENV')[0]}`;
    expect(await typed(`${asUser} ${check}`)).toContain('The gateway is ready.');
  },
  LONG_MS,
);
