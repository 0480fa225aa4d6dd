import type { AgeIdentity } from '../platform/age/keys.ts';
import { type Restorer, tryRestore } from './backups.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
import { type EarlierInstallation, tryUpgrade } from './upgrade.ts';
import { goBack, stopAndBackUp, type UpdateBackup } from './way-back.ts';

/**
 * A gateway that is kept running, also through the restore of a backup and the upgrade from an earlier release that a person
 * asks for in the console.
 */
export interface RunningGateway {
  /** The one that runs now, or ran last. */
  readonly current: Gateway;
  /** Rejects when the gateway cannot start again after a restore; never resolves. */
  readonly failed: Promise<never>;
  /** A restore that is under way is left to the next start, which finishes or undoes it. */
  stop(): Promise<void>;
  /** Stops it and makes a backup, before another version is installed. */
  stopAndBackUp(): Promise<UpdateBackup>;
}

/**
 * Starts a gateway. A restore happens between two of its starts, in this process and at the same address; `onStarted` is
 * called after each of them. Throws as `startGateway` does.
 */
export async function runGateway(
  options: GatewayOptions,
  onStarted: (gateway: Gateway) => void,
): Promise<RunningGateway> {
  let isStopping = false;
  let restoring: Promise<void> | null = null;
  let upgradeProblem: string | null = null;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // Whoever does not wait for it is not to end because of it.
  failed.catch(() => undefined);

  const start = async (more: Pick<GatewayOptions, 'boot'> & { notes?: readonly string[] }) => {
    const upgrade = { start: upgradeFrom, problem: upgradeProblem };
    const every = { ...options, ...more, restore, upgrade };
    const gateway = await startGateway(every).catch(async (error: unknown) => {
      const notes = [...(more.notes ?? []), ...(await goBack(error, options.boot))];
      return startGateway({ ...every, notes });
    });
    onStarted(gateway);
    return gateway;
  };
  /** The newest start: a restore or a stop can be requested before it has finished. */
  let starting = start({ boot: options.boot });
  let current = await starting;

  function restore(file: string, by: Restorer, identities: readonly AgeIdentity[] | null): void {
    between(() => tryRestore(file, options.boot, { by, identities }));
  }

  function upgradeFrom(earlier: EarlierInstallation, by: Restorer): void {
    const { boot, environment, clock, startDocumentProcess } = options;
    const more = { ...(clock ? { clock } : {}), ...(startDocumentProcess ? { startDocumentProcess } : {}) };
    between(async () => {
      upgradeProblem = await tryUpgrade(boot, environment, earlier, { by, ...more });
      return upgradeProblem === null ? [] : [`The upgrade did not finish. ${upgradeProblem}`];
    });
  }

  /** Works between two starts; `work` returns what an administrator should know, as sentences. */
  function between(work: () => Promise<string[]>): void {
    restoring ??= exchange(work)
      .catch(fail)
      .finally(() => {
        restoring = null;
      });
  }

  async function exchange(work: () => Promise<string[]>): Promise<void> {
    const before = await starting;
    await before.stop();
    if (isStopping) return;
    const notes = await work();
    if (isStopping) return;
    const port = Number(new URL(before.url).port);
    starting = start({ boot: { ...options.boot, port, acceptEmptyStore: false }, notes });
    current = await starting;
  }

  async function stop(): Promise<void> {
    isStopping = true;
    // Writes that a start has begun are completed; a failed start has left nothing open.
    const newest = await starting.catch(() => current);
    await newest.stop();
  }

  return {
    get current() {
      return current;
    },
    failed,
    stop,
    stopAndBackUp: () => stopAndBackUp(current, options.boot, stop),
  };
}
