import { debianRoot } from './debian-root.ts';

const PACKAGES = [
  'adduser',
  'bash-completion',
  'ca-certificates',
  'init-system-helpers',
  'libstdc++6',
  'postgresql',
  'sudo',
  'systemd',
];

/** Returns the folder of a Debian for servers, with PostgreSQL and systemd, or one sentence that says why it cannot be had. */
export async function serverDebian(): Promise<{ root: string } | { unavailable: string }> {
  return await debianRoot({ name: 'server', suite: 'bookworm', packages: PACKAGES });
}
