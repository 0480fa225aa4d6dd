import { join } from 'node:path';
import { createBackup } from './backup/create-backup.ts';
import { BackupError } from './backup/errors.ts';
import { backupSource } from './cli/installation.ts';
import type { BootOptions } from './config/boot.ts';
import type { Database } from './db/database.ts';
import { ping } from './db/migrator.ts';
import { storeSize } from './db/store-size.ts';
import { ownerIds } from './features/access/store/grants.ts';
import type { SecurityAudit } from './features/audit/service.ts';
import type { MakeBackup } from './features/console/backups.ts';
import { ConsoleService } from './features/console/service.ts';
import type { InboundService } from './features/inbound/service.ts';
import type { OutboundService } from './features/outbound/service.ts';
import { hasDelivered } from './features/outbound/store/delivered-store.ts';
import type { Routing } from './features/routing/service.ts';
import type { Settings } from './features/settings/service.ts';
import { diskCheck, findProblems, type ReadinessCheck } from './http/health.ts';
import { urlHost } from './http/listening.ts';
import type { HttpsDoor } from './https-door.ts';
import { countWaiting } from './jobs/job-store.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger } from './platform/logger.ts';
import { RELEASE } from './release.ts';

export interface ConsoleNeeds {
  readonly boot: BootOptions;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listening: () => { host: string; port: number };
  readonly settings: Settings;
  readonly routing: Routing;
  readonly audit: SecurityAudit;
  readonly outbound: OutboundService;
  readonly inbound: InboundService;
  readonly https: HttpsDoor;
}

/** The room of the console, with what only the composition root knows. */
export function openConsole(needs: ConsoleNeeds): ConsoleService {
  const { boot, db, clock, logger, settings, routing, audit, outbound, inbound, https } = needs;
  const checks = readinessChecks(boot, db);
  return new ConsoleService({
    db,
    clock,
    logger: logger.room('console'),
    audit,
    settings,
    routing,
    dataFolder: boot.dataFolder,
    changedSince: db.capabilities.soleProcess
      ? null
      : {
          faxes: (historyId, limit) => outbound.changedSince(historyId, limit),
          inbound: (evidenceId, limit) => inbound.changedSince(evidenceId, limit),
        },
    facts: {
      hasOwner: async () => (await ownerIds(db.read)).length > 0,
      hasDelivered: () => hasDelivered(db.read),
      receiving: () => inbound.facts(),
    },
    status: {
      release: RELEASE,
      database: db.capabilities.name,
      listening() {
        const { host, port } = needs.listening();
        return `http://${urlHost(host)}:${port}`;
      },
      httpsProblem: () => https.problem,
      storeBytes: () => storeSize(db, join(boot.dataFolder, 'faxdesk.sqlite')),
      problems: () => findProblems(checks),
      faxes: () => outbound.counts(),
      waiting: () => waitingJobs(db),
    },
    https: { state: () => https.state(), root: () => https.root() },
    makeBackup: backupMaker(boot, clock),
  });
}

/** What must work for faxes to be taken. */
export function readinessChecks(boot: BootOptions, db: Database): ReadinessCheck[] {
  return [
    async () => {
      await ping(db.whole as never);
      return null;
    },
    diskCheck(boot.dataFolder),
  ];
}

/** Background work by kind. */
export async function waitingJobs(db: Database): Promise<Record<string, number>> {
  return Object.fromEntries((await countWaiting(db.read)).map(({ kind, waiting }) => [kind, waiting]));
}

function backupMaker(boot: BootOptions, clock: Clock): MakeBackup {
  return async (file, { signal, onProgress }) => {
    const done = { rows: 0, files: 0 };
    const parts = {
      release: RELEASE,
      clock,
      signal,
      onProgress({ what, count }: { what: 'rows' | 'files'; count: number }) {
        done[what] += count;
        onProgress(done);
      },
    };
    try {
      return await createBackup(await backupSource(boot), file, parts);
    } catch (error) {
      if (error instanceof BackupError) return { failure: error.message };
      throw error;
    }
  };
}
