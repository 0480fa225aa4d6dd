import { statfs } from 'node:fs/promises';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { ReceivingFacts } from '../inbound/service.ts';
import type { Backups } from './backups.ts';
import type { StatusFacts } from './types.ts';

/** Facts from the composition root that this room reports. */
export interface StatusParts {
  readonly release: string;
  readonly dataFolder: string;
  readonly database: 'sqlite' | 'postgres';
  /** `http://host:port` */
  readonly listening: () => string;
  /** Returns the reason why other computers cannot reach it as configured. */
  readonly httpsProblem: () => string | null;
  readonly storeBytes: () => Promise<number>;
  /** Lists reasons why the gateway cannot take faxes, in sentences. */
  readonly problems: () => Promise<string[]>;
  /** Lists those that are found without writing anything, for a check every few seconds. */
  readonly quickProblems: () => Promise<string[]>;
  /** Lists problems that need attention although faxes are taken. */
  readonly warnings: () => Promise<string[]>;
  /** Returns where documents are kept. */
  readonly documentStorage: () => StatusFacts['document_storage'];
  /** Path of LibreOffice; null where it is not found or not used. */
  readonly libreOffice: () => Promise<string | null>;
  /** Lists problems with the reports of providers. */
  readonly reportProblems: () => Promise<StatusFacts['report_problems']>;
  readonly faxes: () => Promise<Record<string, number>>;
  readonly receiving: () => Pick<ReceivingFacts, 'state' | 'sentence'>;
  /** ISO 8601 UTC; null when there was none. */
  readonly lastDeliveredAt: () => Promise<string | null>;
  readonly lastReceivedAt: () => Promise<string | null>;
  readonly waiting: () => Promise<Record<string, number>>;
}

/** Returns the status of the gateway; `startedAt` in epoch milliseconds. */
export async function describeStatus(
  parts: StatusParts & { clock: Clock; backups: Backups },
  startedAt: number,
): Promise<StatusFacts> {
  const facts = {
    store_bytes: parts.storeBytes(),
    free_bytes: freeBytes(parts.dataFolder),
    problems: parts.problems(),
    warnings: parts.warnings(),
    report_problems: parts.reportProblems(),
    faxes: parts.faxes(),
    last_delivered_at: parts.lastDeliveredAt(),
    last_received_at: parts.lastReceivedAt(),
    waiting: parts.waiting(),
    libreoffice: parts.libreOffice(),
    last_backup: parts.backups.newest(),
  };
  const { state, sentence } = parts.receiving();
  return {
    release: parts.release,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    started_at: isoTime(startedAt),
    listening: parts.listening(),
    https_problem: parts.httpsProblem(),
    data_folder: parts.dataFolder,
    database: parts.database,
    document_storage: parts.documentStorage(),
    receiving: { state, sentence },
    ...(await resolveAll(facts)),
  };
}

/** All at once, under the same names. */
async function resolveAll<T extends Record<string, unknown>>(
  coming: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const known = Object.entries(coming).map(async ([name, value]) => [name, await value] as const);
  return Object.fromEntries(await Promise.all(known)) as { [K in keyof T]: Awaited<T[K]> };
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
