import { statfs } from 'node:fs/promises';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Backups } from './backups.ts';
import type { StatusFacts } from './types.ts';

/** What the composition root knows and this room tells. */
export interface StatusParts {
  readonly release: string;
  readonly dataFolder: string;
  readonly database: 'sqlite' | 'postgres';
  /** `http://host:port` */
  readonly listening: () => string;
  /** Why other computers cannot reach it as it is set. */
  readonly httpsProblem: () => string | null;
  readonly storeBytes: () => Promise<number>;
  /** Why the gateway cannot take faxes, in sentences. */
  readonly problems: () => Promise<string[]>;
  /** What somebody should look at although faxes are taken. */
  readonly warnings: () => Promise<string[]>;
  /** What went wrong with the reports of providers. */
  readonly reportProblems: () => Promise<StatusFacts['report_problems']>;
  readonly faxes: () => Promise<Record<string, number>>;
  readonly waiting: () => Promise<Record<string, number>>;
}

/** What the gateway tells about itself; `startedAt` in epoch milliseconds. */
export async function describeStatus(
  parts: StatusParts & { clock: Clock; backups: Backups },
  startedAt: number,
): Promise<StatusFacts> {
  const [store_bytes, free_bytes, problems, warnings, report_problems, faxes, waiting, last_backup] =
    await Promise.all([
      parts.storeBytes(),
      freeBytes(parts.dataFolder),
      parts.problems(),
      parts.warnings(),
      parts.reportProblems(),
      parts.faxes(),
      parts.waiting(),
      parts.backups.newest(),
    ]);
  return {
    release: parts.release,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    started_at: isoTime(startedAt),
    listening: parts.listening(),
    https_problem: parts.httpsProblem(),
    data_folder: parts.dataFolder,
    database: parts.database,
    store_bytes,
    free_bytes,
    problems,
    warnings,
    report_problems,
    faxes,
    waiting,
    last_backup,
  };
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
