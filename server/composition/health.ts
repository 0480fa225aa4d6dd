import { join } from 'node:path';
import type { DocumentBucket } from '../adapters/storage/port.ts';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import { writingProblem } from '../config/writable-folders.ts';
import type { Database } from '../db/database.ts';
import { ping } from '../db/migrator.ts';
import { storeSize } from '../db/store-size.ts';
import type { Documents } from '../documents/documents.ts';
import type { Room } from '../features/room.ts';
import { storageState } from '../features/storage/service.ts';
import { findProblems, type ReadinessCheck, withTimeout } from '../http/health.ts';
import { countWaiting } from '../jobs/job-store.ts';
import { CONNECTION_SENTENCES, connectionSentence } from '../platform/connection-trouble.ts';
import { diskProblem, lowSpaceWarnings } from '../platform/disk-space.ts';
import type { Seal } from '../platform/seal.ts';
import { DAMAGED_PROBLEM } from '../platform/store-trouble.ts';
import { urlHost } from '../platform/url-host.ts';
import { lostKeyFile } from './data-key.ts';

/** Facts about the gateway itself, independent of its rooms. */
interface GatewayFacts {
  readonly release: string;
  readonly database: 'sqlite' | 'postgres';
  /** `http://host:port` */
  listening(): string;
  storeBytes(): Promise<number>;
  /** Returns the reasons why it cannot take faxes, as sentences. */
  problems(): Promise<string[]>;
  /** Returns those that are found without writing anything, for a check every few seconds. */
  quickProblems(): Promise<string[]>;
  /** Path of LibreOffice; null where it is not found or not used. */
  libreOffice(): Promise<string | null>;
  /** State of the storage of documents. */
  documentStorage(): ReturnType<typeof storageState>;
  /** Background work by kind. */
  waiting(): Promise<Record<string, number>>;
}

export function gatewayFacts(parts: {
  boot: BootOptions;
  db: Database;
  documents: Pick<Documents, 'findOffice'>;
  storage: { readonly bucket: DocumentBucket };
  keyProblem: string | null;
  listening: () => { host: string; port: number };
}): GatewayFacts {
  const { boot, db } = parts;
  const checks = readinessChecks(parts);
  const quick = quickChecks(parts);
  return {
    release: RELEASE,
    database: db.capabilities.name,
    listening() {
      const { host, port } = parts.listening();
      return `http://${urlHost(host)}:${port}`;
    },
    storeBytes: () => storeSize(db, join(boot.dataFolder, 'faxdesk.sqlite')),
    libreOffice: () => parts.documents.findOffice(),
    documentStorage: () => storageState(parts.storage.bucket),
    problems: () => findProblems(checks),
    quickProblems: () => findProblems(quick),
    waiting: async () =>
      Object.fromEntries((await countWaiting(db.read)).map(({ kind, waiting }) => [kind, waiting])),
  };
}

const NO_ANSWER = 'The disk of Faxdesk is not responding.';
/** A busy computer may take seconds for a small file; a disk that takes longer than this is out of order. */
const DISK_PATIENCE_MS = 30_000;

interface CheckedParts {
  readonly boot: BootOptions;
  readonly db: Database;
  /** Reason why the data key is not that of the store; null when it is. */
  readonly keyProblem: string | null;
}

/** Returns the checks that must pass for faxes to be taken. */
export function readinessChecks(parts: CheckedParts): ReadinessCheck[] {
  return [...quickChecks(parts), writingCheck(parts.boot.dataFolder)];
}

/** Returns the checks that only read. */
function quickChecks({ boot, db, keyProblem }: CheckedParts): ReadinessCheck[] {
  return [
    async () => keyProblem,
    () => databaseProblem(db),
    () => diskProblem(boot.dataFolder),
    async () => (db.damage.isFound ? DAMAGED_PROBLEM : null),
  ];
}

const AWAY = 'The database is not responding.';

async function databaseProblem(db: Database): Promise<string | null> {
  const problem = await withTimeout(
    ping(db.unrestricted as never).then(
      () => null,
      (error: unknown) => connectionSentence(error) ?? AWAY,
    ),
    AWAY,
  );
  return problem === AWAY && (await db.isOutOfConnections()) ? CONNECTION_SENTENCES['in-use'] : problem;
}

/** Tries to write to the folders, one trial at a time. While a trial takes long, the answer is that of the one before. */
function writingCheck(dataFolder: string): ReadinessCheck {
  let last: string | null = null;
  let trial: Promise<void> | null = null;
  const begin = async () => {
    const patience = setTimeout(() => {
      last = NO_ANSWER;
    }, DISK_PATIENCE_MS).unref();
    try {
      last = await writingProblem(dataFolder);
    } finally {
      clearTimeout(patience);
      trial = null;
    }
  };
  return async () => {
    trial ??= begin();
    await withTimeout(trial, undefined);
    return last;
  };
}

/**
 * Collects the warnings of the gateway itself (`own`), its disk and every room. This is the one list of warnings:
 * `/health/ready`, `/console/status`, the screen, `faxdesk health` and `faxdesk diagnose` show all of it. A part that
 * does not answer hides no warning of another; the problems report it.
 */
export async function warningsOf(
  rooms: readonly Room[],
  { own, dataFolder }: { own: readonly string[]; dataFolder: string },
): Promise<string[]> {
  const parts = [lowSpaceWarnings(dataFolder), ...rooms.map((room) => room.warnings())];
  const found = await Promise.all(
    parts.map((part) =>
      withTimeout(
        part.catch(() => []),
        [],
      ),
    ),
  );
  return [...own, ...found.flat()];
}

/**
 * Collects the gateway's own warnings (about its start, its data folder and its key), and names the folder whose disk
 * is checked.
 */
export function ownWarnings(
  { boot, startWarnings }: { boot: BootOptions; startWarnings: readonly string[] },
  seal: Pick<Seal, 'problem'>,
): { own: readonly string[]; dataFolder: string } {
  const found = [boot.unused ?? null, lostKeyFile(boot, seal)].filter((sentence) => sentence !== null);
  return { own: [...startWarnings, ...found], dataFolder: boot.dataFolder };
}

/** Sums the counts of each kind of problem. */
export function countByKind(found: readonly { problem: string; count: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { problem, count } of found) counts[problem] = (counts[problem] ?? 0) + count;
  return counts;
}

/** Counts of an installation. */
export type RecordKind =
  | 'faxes'
  | 'received_faxes'
  | 'work_items'
  | 'email_deliveries'
  | 'printouts'
  | 'printed_documents'
  | 'webhook_deliveries';

/** Counts the records of a kind by state; a state without records may be left out. Each reads one index. */
export type RecordCounts = Readonly<Record<RecordKind, () => Promise<Readonly<Record<string, number>>>>>;
