import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DebianServer } from '../setup/debian/debian-server.ts';
import { keptInstructions } from './dockerfile.ts';

const wordsOf = (name: string): string[] =>
  keptInstructions().flatMap((it) => (it.name === name ? [it.words] : []));
/** The words of an instruction that are a list of JSON. */
const listOf = (name: string): string[] =>
  JSON.parse(/\[.*\]$/u.exec(wordsOf(name)[0] ?? '')?.[0] ?? '[]') as string[];

/** Checks that the steps of the Dockerfile make a gateway that runs as its account over a root folder that is only read. */
export async function expectContainer(server: DebianServer, stage: string): Promise<void> {
  const typed = async (command: string): Promise<string> => {
    const { code, output } = await server.type(command);
    expect(`${command}\n${output}\n${code}`).toBe(`${command}\n${output}\n0`);
    return output;
  };
  execFileSync('cp', ['--archive', stage, join(server.home, 'faxdesk')]);
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
}
