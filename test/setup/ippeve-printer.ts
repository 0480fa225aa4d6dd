import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { unlessMissing } from '../fixtures/referees.ts';
import { freePort } from './free-port.ts';

/** It announces itself by DNS-SD, so it needs the system bus and Avahi: both run in a folder /run of their own. */
const START = `
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon
dbus-daemon --system --nopidfile
printf '[server]\\nallow-interfaces=lo\\n' > /run/avahi.conf
avahi-daemon --file /run/avahi.conf --no-drop-root --no-chroot --no-rlimits &
while [ ! -e /run/avahi-daemon/socket ]; do sleep 0.1; done
exec ippeveprinter "$@"
`;

const found = unlessMissing('ippeveprinter', 'avahi-daemon', 'dbus-daemon', 'unshare');
export const ippevePrinter =
  process.getuid?.() === 0 || found.skip ? found : { skip: true, reason: ' (needs root)' };

interface IppevePrinter {
  readonly url: string;
  /** Documents of its jobs are kept here. */
  readonly folder: string;
}

/** Starts the printer of CUPS that is no print server, for a test. */
export async function startIppevePrinter(format = 'application/pdf'): Promise<IppevePrinter> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-printer-'));
  const port = await freePort();
  const words = ['-p', `${port}`, '-n', 'localhost', '-d', folder, '-f', format, '-k', '-c', '/bin/true'];
  const own = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', START, 'sh'];
  const printer = spawn('unshare', [...own, ...words, '-r', 'off', 'Referee'], { stdio: 'ignore' });
  const ended = once(printer, 'close');
  onTestFinished(async () => {
    printer.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  return { url: `ipp://localhost:${port}/ipp/print`, folder };
}
