import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { commandService } from '../config/command-env.ts';
import { readRunning } from '../config/running-file.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { localGateway } from './local-gateway.ts';

/** A start migrates the database, so it is waited for, in ms. */
const READY_MS = 120_000;
const PAUSE_MS = 200;

/**
 * Returns the unit of systemd that runs the gateway of a data folder: the one that the package names, else that of its process;
 * null where none does.
 */
export async function serviceOf(dataFolder: string): Promise<string | null> {
  const named = commandService();
  if (named !== null) return named;
  const running = (await localGateway(dataFolder)) === null ? null : await readRunning(dataFolder);
  if (running === null || process.platform !== 'linux') return null;
  return unitIn(await readFile(`/proc/${running.pid}/cgroup`, 'utf8').catch(() => ''));
}

/** Returns the system service in the text of `/proc/<pid>/cgroup`; null for a process of a person or a container. */
export function unitIn(cgroups: string): string | null {
  return /\/system\.slice\/(?:[^/\n]+\.slice\/)*([^/\n]+\.service)(?:\/|$)/mu.exec(cgroups)?.[1] ?? null;
}

/** Restarts the service and returns the address of the new gateway. Throws CommandFailure when there is none, or it does not start. */
export async function restartService(dataFolder: string): Promise<string> {
  const unit = await serviceOf(dataFolder);
  if (unit === null)
    throw new CommandFailure(
      `No service of this computer runs a gateway on ${dataFolder}. Stop the gateway where it was started, and start it there again.`,
      EXIT.notFound,
    );
  const before = await readRunning(dataFolder);
  await askManager(unit);
  for (let waited = 0; waited < READY_MS; waited += PAUSE_MS) {
    const now = await readRunning(dataFolder);
    if (now !== null && now.pid !== before?.pid && (await isReady(now.url))) return now.url;
    await pause(PAUSE_MS);
  }
  throw new CommandFailure(
    `${unit} was restarted, but its gateway is not ready yet. Run "faxdesk logs" to see why.`,
    EXIT.unreachable,
  );
}

async function askManager(unit: string): Promise<void> {
  const child = spawn('systemctl', ['restart', unit], { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', (bytes: Buffer) => {
    words += bytes.toString('utf8');
  });
  const [code] = (await once(child, 'close').catch(() => [null])) as [number | null];
  if (code === 0) return;
  const reason = words.trim().split('\n')[0] ?? '';
  throw new CommandFailure(
    `The service manager did not restart ${unit}${reason === '' ? '' : ` (${reason})`}. Restart it as root, with "sudo faxdesk restart".`,
  );
}

/** Returns true when the gateway at the address takes requests. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/health', url));
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
