import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createLocalStorage } from '../adapters/storage/local.ts';
import { createBackup } from '../backup/create-backup.ts';
import { FILES_FOLDER } from '../backup/data-folder.ts';
import { backupSource, storeLocationOf } from '../backup/installation.ts';
import { readRecipients } from '../backup/recipients.ts';
import type { BootOptions } from '../config/boot.ts';
import type { Environment } from '../config/env.ts';
import { RELEASE } from '../config/release.ts';
import { KEY_FILES } from '../config/secrets.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { withEarlierStore } from '../db/earlier-store.ts';
import { migrate } from '../db/migrator.ts';
import { countUsage } from '../db/staging.ts';
import { createDocuments, type Documents, type StartDocumentProcess } from '../documents/documents.ts';
import {
  createEarlierAccess,
  ensureBuiltIns,
  policyVersion,
  slowHashKind,
} from '../features/access/offline.ts';
import { createSecurityAudit, type SecurityAudit } from '../features/audit/service.ts';
import {
  addEarlierNotifications,
  addEarlierReceived,
  documentName,
  knownFaxes,
  knownNotifications,
} from '../features/inbound/offline.ts';
import { addEarlierFaxes, knownJobs } from '../features/outbound/offline.ts';
import {
  createCatalog,
  loadOrCreate,
  planEarlierSettings,
  readEarlierEnvironment,
  saveEarlierSettings,
} from '../features/settings/offline.ts';
import {
  listNotes,
  type OnProgress,
  openEarlierFiles,
  runUpgrade,
  type Takers,
  type UpgradeReport,
  type UpgradeRun,
} from '../features/upgrade/offline.ts';
import type { UpgradeServiceParts } from '../features/upgrade/service.ts';
import type { EarlierLocation } from '../features/upgrade/types.ts';
import { addEarlierItems } from '../features/work/offline.ts';
import { backupNameAt } from '../platform/backup-name.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { createClosing } from '../platform/closing.ts';
import { writeDurably } from '../platform/durable-file.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { createSeal, type Seal } from '../platform/seal.ts';
import { COMMAND_LINE, type Restorer } from './backups.ts';
import { takeDataFolder } from './data-folder.ts';
import { openDataKey } from './data-key.ts';
import {
  assertNotRunning,
  type FoundInstallation,
  findEarlier,
  UpgradeRefusedError,
} from './earlier-installation.ts';
import { addressChecks, PROVIDERS } from './providers.ts';
import { openStore } from './store.ts';

/** The provider that an earlier release used where nobody had chosen one. */
const FORMER_BACKEND = 'cloudone';
/** Lines of the report in one record of the audit. */
const LINES_PER_RECORD = 100;

export type EarlierInstallation = EarlierLocation;

interface UpgradeOptions {
  readonly dryRun: boolean;
  readonly by?: Restorer;
  readonly onProgress?: OnProgress;
  /** Called with the backup that was made before the first change. */
  readonly onBackup?: (file: string) => void;
  /** The system clock when left out. */
  readonly clock?: Clock;
  /** Starter of the process of documents; a child of this one when left out. */
  readonly startDocumentProcess?: StartDocumentProcess;
}

/** Upgrades that a person orders in the console. */
export interface ConsoleUpgrade {
  readonly start: (earlier: EarlierLocation, by: Restorer) => void;
  /** Reason why the last one did not finish, as a sentence; null when it did. */
  readonly problem: string | null;
}

/**
 * Moves an installation of an earlier release into this one while no gateway runs on either; a dry run changes nothing.
 * Throws UpgradeRefusedError, EarlierGatewayRunningError, EarlierStoreError, NoEarlierReleaseError, and what a start throws.
 */
export async function upgradeInstallation(
  boot: BootOptions,
  environment: Environment,
  earlier: EarlierInstallation,
  options: UpgradeOptions,
): Promise<UpgradeReport> {
  const found = await findEarlier(earlier);
  await assertNotRunning(found);
  return options.dryRun ? dryRun(boot, found, options) : upgrade(boot, environment, found, options);
}

/** Returns the parts of upgrades in the console: a dry run against the open store, and the upgrade where the start allows it. */
export function upgradeParts({
  db,
  startDocumentProcess,
  upgrade: ordered,
}: {
  db: Database;
  startDocumentProcess?: StartDocumentProcess;
  upgrade?: ConsoleUpgrade | undefined;
}): Pick<UpgradeServiceParts, 'check' | 'upgrade' | 'problem'> {
  return {
    check: (earlier, onProgress) =>
      checkUpgrade(db, earlier, { onProgress, ...(startDocumentProcess ? { startDocumentProcess } : {}) }),
    upgrade: ordered?.start ?? null,
    problem: ordered?.problem ?? null,
  };
}

/** Runs a dry run against a store that is open, for a gateway that runs. */
export async function checkUpgrade(
  db: Database,
  earlier: EarlierInstallation,
  options: Omit<UpgradeOptions, 'dryRun'> = {},
): Promise<UpgradeReport> {
  const found = await findEarlier(earlier);
  await assertNotRunning(found);
  return dryRunOn(db, found, { ...options, dryRun: true });
}

async function dryRun(
  boot: BootOptions,
  found: FoundInstallation,
  options: UpgradeOptions,
): Promise<UpgradeReport> {
  const where = storeLocationOf(boot);
  const isThere =
    where.postgresUrl === null ? existsSync(where.sqliteFile) : (await countUsage(where)).tables > 0;
  if (isThere) {
    const db = openDatabase(where, { readonly: true });
    try {
      return await dryRunOn(db, found, options);
    } finally {
      await db.close();
    }
  }
  return withTemporaryFolder(async (folder) => {
    const db = openDatabase({ postgresUrl: null, sqliteFile: join(folder, 'empty.sqlite') });
    try {
      await migrate(db.unrestricted as never);
      return await dryRunOn(db, found, options);
    } finally {
      await db.close();
    }
  });
}

const ignore: OnProgress = () => undefined;

/** Copies of documents are checked in a temporary folder, which is removed. */
function dryRunOn(db: Database, found: FoundInstallation, options: UpgradeOptions): Promise<UpgradeReport> {
  return withTemporaryFolder(async (folder) => {
    const documents = createDocuments({ folders: [folder], ...starterOf(options) });
    try {
      const seal = createSeal(new Uint8Array(32), 'A dry run seals nothing.');
      const audit = createSecurityAudit({ clock: systemClock });
      const place = async (name: string) => join(folder, basename(name));
      return await run(found, { db, seal, audit, documents, place, options, boot: null });
    } finally {
      await documents.close();
    }
  });
}

const starterOf = ({ startDocumentProcess: start }: UpgradeOptions) => (start ? { start } : {});

async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'faxdesk-upgrade-')));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function upgrade(
  boot: BootOptions,
  environment: Environment,
  found: FoundInstallation,
  options: UpgradeOptions,
): Promise<UpgradeReport> {
  const { clock = systemClock } = options;
  const logger = createLogger({ level: 'error' });
  const closing = createClosing(() => logger);
  try {
    await takeDataFolder(boot, closing);
    await refuseOthers(boot);
    const { db } = await openStore(boot, clock);
    closing.add('database', () => db.close());
    const { seal } = await openDataKey({ boot, db, clock, logger });
    if (seal.problem !== null) throw new UpgradeRefusedError(seal.problem);
    const audit = createSecurityAudit({ clock, seal });
    await ensureBuiltIns({ db, clock, audit });
    await loadSettings({ db, clock, seal, audit, environment, logger });
    const documents = await openDocuments(boot, options);
    closing.add('documents', () => documents.close());
    const storage = await createLocalStorage(join(boot.dataFolder, FILES_FOLDER));
    return await run(found, { db, seal, audit, documents, place: storage.place, boot, options });
  } finally {
    await closing.run();
  }
}

/** The lock of the data folder says nothing of gateways on other computers that share the database. */
async function refuseOthers(boot: BootOptions): Promise<void> {
  if (boot.databaseUrl === null) return;
  const { users } = await countUsage(storeLocationOf(boot));
  if (users > 0)
    throw new UpgradeRefusedError(
      'Other programs use the database of this installation; stop every gateway on it first. Nothing was changed.',
    );
}

/** Makes the settings of the environment the first revision, as at a first start. */
async function loadSettings(parts: {
  db: Database;
  clock: Clock;
  seal: Seal;
  audit: SecurityAudit;
  environment: Environment;
  logger: Logger;
}): Promise<void> {
  const catalog = createCatalog(PROVIDERS);
  const checks = addressChecks(PROVIDERS);
  await loadOrCreate({ ...parts, catalog, checks, formerDefaultBackend: null });
}

async function openDocuments({ dataFolder }: BootOptions, options: UpgradeOptions): Promise<Documents> {
  const folders = [join(dataFolder, 'work'), join(dataFolder, FILES_FOLDER)];
  for (const folder of folders) await makeFolder(folder);
  return createDocuments({ folders, ...starterOf(options) });
}

interface RunParts {
  readonly db: Database;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly documents: Documents;
  readonly place: (name: string) => Promise<string>;
  readonly options: UpgradeOptions;
  /** Null in a dry run, which has neither an installation key nor a backup. */
  readonly boot: BootOptions | null;
}

function run(found: FoundInstallation, parts: RunParts): Promise<UpgradeReport> {
  const { db, documents, place, boot, options } = parts;
  const { clock = systemClock, onProgress = ignore, dryRun: isDryRun } = options;
  const { location, source, filesFolder: folder } = found;
  return withEarlierStore(location, (earlier) =>
    runUpgrade(
      {
        db,
        clock,
        earlier,
        files: openEarlierFiles({ folder, documents, place, keeps: !isDryRun }),
        takers: takersOf(parts),
        environment: found.environment && readEarlierEnvironment(found.environment),
        onProgress,
        async beforeFirstChange() {
          if (boot !== null) options.onBackup?.(await backUp(boot, clock));
        },
        recordInAudit: (tx, finished) => recordInAudit(parts, tx, finished),
      },
      { source, files: folder, isDryRun },
    ),
  );
}

function takersOf({ seal, audit, boot, options }: RunParts): Takers {
  const catalog = createCatalog(PROVIDERS);
  const checks = addressChecks(PROVIDERS);
  const { by = COMMAND_LINE, clock = systemClock } = options;
  const actor = { id: null, ...by, policyVersion: null, requestId: null };
  return {
    settings: {
      plan: (db, given) => planEarlierSettings(db, { catalog, checks }, given, FORMER_BACKEND),
      save: (tx, plan) => saveEarlierSettings(tx, { catalog, clock, seal, audit }, plan, actor),
    },
    access: { ...createEarlierAccess(audit), hashKind: slowHashKind },
    received: {
      known: knownFaxes,
      add: addEarlierReceived,
      knownNotifications,
      addNotifications: addEarlierNotifications,
      documentName,
    },
    work: { add: (tx, documents, times) => addEarlierItems(tx, seal, documents, times) },
    sent: { known: knownJobs, add: (tx, faxes) => addEarlierFaxes(tx, seal, faxes) },
    keepInstallationKey: async (key) => boot !== null && keepInstallationKey(boot, key),
  };
}

/** Writes the installation key of the earlier release where there is none. False when there is another one. */
async function keepInstallationKey({ apiKey, dataFolder }: BootOptions, key: string): Promise<boolean> {
  if (apiKey !== null) return apiKey === key;
  const path = join(dataFolder, KEY_FILES.installation);
  const present = await readFile(path, 'utf8').catch(() => null);
  if (present !== null) return present.trim() === key;
  if (!/^[!-~]{1,512}$/u.test(key)) return false;
  await writeDurably(path, `${key}\n`);
  return true;
}

/** Makes a backup of this installation; returns its path. */
async function backUp(boot: BootOptions, clock: Clock): Promise<string> {
  const folder = join(boot.dataFolder, 'backups');
  await makeFolder(folder);
  const recipients = await readRecipients(storeLocationOf(boot));
  const file = join(folder, backupNameAt(clock.now(), 'asked', { isEncrypted: recipients.length > 0 }));
  await createBackup(await backupSource(boot), file, { release: RELEASE, clock, recipients });
  return file;
}

/** Records the upgrade with its counts, and its lines in as many further records as they need. */
async function recordInAudit(
  { audit, options }: RunParts,
  tx: Parameters<Takers['sent']['add']>[0],
  finished: UpgradeRun,
): Promise<void> {
  const { by = COMMAND_LINE } = options;
  const version = await policyVersion(tx);
  const record = (details: Record<string, unknown>) =>
    audit.record(tx, {
      actor: { id: null, name: by.name },
      credentialKind: by.credentialKind,
      operation: 'installation.upgrade',
      target: { kind: 'installation', id: null },
      outcome: 'done',
      policyVersion: version,
      requestId: null,
      details,
    });
  const { source, files, startedAt, counts, notes } = finished;
  await record({ source, files, started_at: startedAt, release: RELEASE, counts, lines: notes });
  for (let after = 0; after < notes; after += LINES_PER_RECORD) {
    const lines = await listNotes(tx, finished.id, { after, limit: LINES_PER_RECORD });
    await record({ from_line: after + 1, report: lines.map(({ text }) => text) });
  }
}

/** Upgrades for a person in the console; returns the reason why it did not finish, as a sentence, or null. */
export async function tryUpgrade(
  boot: BootOptions,
  environment: Environment,
  earlier: EarlierLocation,
  options: Omit<UpgradeOptions, 'dryRun'>,
): Promise<string | null> {
  try {
    await upgradeInstallation(boot, environment, earlier, { ...options, dryRun: false });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
