import { join } from 'node:path';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { BACKUP_PERMISSIONS } from '../../../shared/permissions.ts';
import type { Database } from '../../db/database.ts';
import type { Announcements } from '../../platform/announcements.ts';
import { type Clock, epochOf, isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import type { Figure } from '../../platform/figure.ts';
import type { KeyedHash } from '../../platform/hash.ts';
import { randomToken } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { assertMayOpen } from '../../platform/may-open.ts';
import type { Seal } from '../../platform/seal.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import type { EventSource } from '../room.ts';
import type { Routing } from '../routing/service.ts';
import type { Settings } from '../settings/service.ts';
import { createBackupLease } from './backup-lease.ts';
import { createBackupState } from './backup-state.ts';
import {
  type Backups,
  type BackupsParts,
  createBackups,
  type MakeBackup,
  type PlannedBackup,
} from './backups.ts';
import { type ContextParts, describeContext } from './context.ts';
import { createDailyBackups, type DailyBackups } from './daily-backups.ts';
import { type ConsoleEvents, createConsoleEvents, type EventParts } from './events.ts';
import {
  describeInstallation,
  type InstallationParts,
  lightFacts,
  lightWarnings,
  timeZoneOf,
} from './installation.ts';
import { createLightWatch, type LightWatch } from './light-watch.ts';
import { type LogQuery, readLogPage, wholeLog } from './log-pages.ts';
import { type BackupProblem, openingIdentities, type RestoreFile } from './opening-identities.ts';
import { problemReport } from './problem-report.ts';
import { describeStatus, type StatusParts } from './status.ts';
import type { BackupFacts, BackupItem, ConsoleContext, InstallationFacts, StatusFacts } from './types.ts';

/** Consoles show within five seconds what stopped working. */
const WATCH_MS = 2_000;

interface ConsoleParts extends Pick<ContextParts, 'hasWorkQueue' | 'receivingThrough' | 'routeNames'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  readonly settings: Settings;
  readonly routing: Routing;
  readonly dataFolder: string;
  readonly events: readonly EventSource[];
  readonly announcements: Announcements;
  readonly authenticator: EventParts['authenticator'];
  readonly facts: Pick<InstallationParts, 'hasOwner' | 'hasDelivered' | 'receiving'> & {
    /** Throws a 404 refusal. */
    completeAddress(backend: string): string;
  };
  readonly status: Omit<StatusParts, 'dataFolder'>;
  readonly makeBackup: MakeBackup;
  readonly readBackupContents: BackupsParts['readContents'];
  /** Its problem explains why a backup made now could not be opened. */
  readonly seal: Pick<Seal, 'problem'>;
  /** Stops the gateway, restores this file and starts again; null where the starting program does not support it. */
  readonly restore: RestoreFile | null;
  readonly backupProblem: BackupProblem;
  readonly draftKeyOf: KeyedHash;
}

export type { ConsoleService };

/** The service of the room: what consoles need beside the rooms of the field. */
export function createConsoleService(parts: ConsoleParts): ConsoleService {
  return new ConsoleService(parts);
}

class ConsoleService {
  readonly events: ConsoleEvents;
  readonly #parts: ConsoleParts;
  readonly #backups: Backups;
  readonly #daily: DailyBackups;
  readonly #backupState: ReturnType<typeof createBackupState>;
  readonly #startedAt: number;
  #hasDelivered = false;
  readonly #light: LightWatch;
  /** Apart from the light, because a disk that does not respond takes long. */
  readonly #problems: LightWatch;
  #watch: NodeJS.Timeout | undefined;

  constructor(parts: ConsoleParts) {
    const { db, clock, logger, settings, dataFolder, events, authenticator } = parts;
    this.#parts = parts;
    this.#startedAt = clock.now();
    const epoch = randomToken(60).replaceAll(/[-_]/gu, '0');
    const isSoleProcess = db.capabilities.soleProcess;
    this.events = createConsoleEvents({
      clock,
      logger,
      epoch,
      authenticator,
      sources: events,
      isSoleProcess,
      announcements: parts.announcements,
    });
    this.#backups = createBackups({
      clock,
      logger,
      make: parts.makeBackup,
      readContents: parts.readBackupContents,
      recipients: () => settings.get('BACKUP_RECIPIENTS'),
      folder: () => settings.pathOf('BACKUP_FOLDER') ?? { path: join(dataFolder, 'backups') },
    });
    const backups = this.#backups;
    const lease = createBackupLease({ db, clock });
    this.#daily = createDailyBackups({
      clock,
      logger,
      backups,
      lease,
      flaw: () => parts.seal.problem,
      wanted: () => dailyBackupSettings(settings),
    });
    this.#backupState = createBackupState({
      clock,
      backups,
      daily: this.#daily,
      wanted: () => dailyBackupSettings(settings),
    });
    const watch = {
      hasListeners: () => this.events.hasListeners,
      notify: () => this.events.installationChanged(),
      onError: (error: unknown) =>
        logger.error({ error }, 'the state of the installation could not be checked'),
    };
    this.#light = createLightWatch({ ...watch, read: () => lightFacts(this.#lightParts()) });
    this.#problems = createLightWatch({ ...watch, read: () => parts.status.quickProblems() });
    this.#backups.onChange(() => void this.#light.tick());
  }

  async start(): Promise<void> {
    this.events.start();
    this.#watch = setInterval(() => {
      void this.#light.tick();
      void this.#problems.tick();
    }, WATCH_MS);
    this.#watch.unref();
    await this.#backups.start();
  }

  /** Ends the streams at once, so that no shutdown waits for them. */
  endStreams(): void {
    this.events.close();
  }

  /** Aborts a backup in progress. */
  async stop(): Promise<void> {
    clearInterval(this.#watch);
    this.events.stop();
    await this.#backups.stop();
    await this.#daily.settled();
  }

  context(caller: Caller): Promise<ConsoleContext> {
    return describeContext(this.#parts, caller);
  }

  /** Seals the drafts of this person in a browser: 256 bits as base64url, the same in every session of theirs. */
  draftKey(caller: Caller): string {
    return this.#parts.draftKeyOf(caller.principal.id);
  }

  async installation(caller: { seesProviders: boolean }): Promise<InstallationFacts> {
    await this.#light.check();
    const hasDelivered = () => this.#hasEverDelivered();
    return describeInstallation({ ...this.#parts.facts, ...this.#lightParts(), hasDelivered }, caller);
  }

  /** Has the watch check the problems. A console that reads them afterwards is notified of every later change. */
  checkProblems(): Promise<void> {
    return this.#problems.check();
  }

  /** Returns the whole address that a provider notifies; records the caller. Throws a 404 refusal. */
  async showCallbackAddress(backend: string, caller: Caller): Promise<{ address: string }> {
    const address = this.#parts.facts.completeAddress(backend);
    await this.#record(caller, 'callback_address.show', { kind: 'provider', id: backend });
    return { address };
  }

  async status(): Promise<StatusFacts> {
    const { clock, dataFolder, status } = this.#parts;
    return describeStatus({ ...status, clock, dataFolder, backups: this.#backups }, this.#startedAt);
  }

  /** Returns a report of a problem, without personal data. */
  async problemReport(): Promise<string> {
    const { clock, settings } = this.#parts;
    const { values } = settings.snapshot();
    const at = isoTime(clock.now());
    return problemReport({ at, status: await this.status(), values, logFolder: this.#logFolder });
  }

  logs(query: LogQuery): ReturnType<typeof readLogPage> {
    return readLogPage(this.#logFolder, query);
  }

  wholeLog(): AsyncIterable<Uint8Array> {
    return wholeLog(this.#logFolder);
  }

  async backups(): Promise<BackupFacts> {
    const { settings } = this.#parts;
    const { problem } = this.#daily;
    const daily = { daily_at: settings.get('BACKUP_DAILY_AT'), keep: settings.get('BACKUP_KEEP'), problem };
    const recipients = [...settings.get('BACKUP_RECIPIENTS')];
    return { ...(await this.#backups.list()), ...daily, recipients };
  }

  backup(name: string): Promise<BackupItem> {
    return this.#backups.get(name);
  }

  /** Begins a backup and answers at once. Throws a 409 refusal while another is made. */
  async makeBackup(caller: Caller): Promise<BackupItem> {
    const item = await this.#backups.begin(this.#parts.seal.problem === null ? 'asked' : 'without-key');
    await this.#record(caller, 'backup.make', { kind: 'backup', id: item.name });
    return item;
  }

  /** Plans the backup that is made before another version is installed. `problem` is why there can be none, as a sentence. */
  async planBackup(): Promise<PlannedBackup | { problem: string }> {
    await this.#backups.settled();
    try {
      return await this.#backups.plan(this.#parts.seal.problem === null ? 'asked' : 'without-key');
    } catch (error) {
      if (error instanceof RefusalError) return { problem: error.message };
      throw error;
    }
  }

  /** Makes the backup of the day when its hour has come. */
  makeDailyBackup(): Promise<void> {
    return this.#daily.run();
  }

  /** Tries providers again that did not respond. To be called every minute. */
  probeProviders(): Promise<void> {
    return this.#parts.routing.probe();
  }

  /** Lists the problems that need attention, in sentences: that faxes cannot leave or come in, and a missing backup. */
  warnings(): Promise<string[]> {
    return lightWarnings(this.#lightParts());
  }

  /** Returns the time of the newest complete backup, for `/metrics`; nothing where there is none. */
  async figures(): Promise<Figure[]> {
    const newest = await this.#backups.newest();
    if (newest === null) return [];
    return [
      {
        name: 'last_backup_timestamp_seconds',
        help: 'Time of the newest complete backup',
        value: epochOf(newest.created_at) / 1000,
      },
    ];
  }

  /**
   * Stops the gateway, restores a backup and starts again, which continues after the response. The caller is recorded
   * in the installation moved aside. `identity` opens an encrypted one and is stored nowhere. Throws 404, 409 and 422 refusals.
   */
  async restoreBackup(name: string, identity: string | null, caller: Caller): Promise<void> {
    const { restore, db } = this.#parts;
    const file = await this.#backups.fileOf(name);
    if (restore === null) throw new RefusalError('restore_not_here');
    if (this.#backups.isMaking) throw new RefusalError('backup_running');
    const identities = await openingIdentities(file, identity, this.#parts.backupProblem);
    // Nothing is written to a damaged database, and a restore is what helps; the restored one has a record of it.
    if (!db.damage.isFound) await this.#record(caller, 'backup.restore', { kind: 'backup', id: name });
    const { name: person, credentialKind } = actorOf(caller);
    restore(file, { name: person, credentialKind }, identities);
  }

  /** Opens the file of a backup; the caller is recorded before the first byte. Throws a 404 refusal. */
  async openBackup(name: string, caller: Caller): ReturnType<Backups['open']> {
    await this.#backups.assertComplete(name);
    await this.#record(caller, 'backup.download', { kind: 'backup', id: name });
    return this.#backups.open(name);
  }

  /** Throws 403, 404 and 409 refusals. */
  async removeBackup(name: string, caller: Caller): Promise<void> {
    assertMayOpen(caller, BACKUP_PERMISSIONS, 'To remove a backup');
    await this.#backups.remove(name);
    await this.#record(caller, 'backup.remove', { kind: 'backup', id: name });
  }

  #lightParts() {
    const { clock, settings, routing, facts } = this.#parts;
    const backup = () => this.#backupState.read();
    return { clock, settings, routing, receiving: facts.receiving, backup };
  }

  get #logFolder(): string {
    return join(this.#parts.dataFolder, 'logs');
  }

  /** Faxes are never forgotten, so a yes stays one. */
  async #hasEverDelivered(): Promise<boolean> {
    this.#hasDelivered ||= await this.#parts.facts.hasDelivered();
    return this.#hasDelivered;
  }

  async #record(
    caller: Caller,
    operation: AuditOperation,
    target: { kind: string; id: string },
  ): Promise<void> {
    await this.#parts.db.transaction((tx) =>
      this.#parts.audit.record(tx, {
        ...recordedActor(actorOf(caller)),
        operation,
        target,
        outcome: 'done',
      }),
    );
  }
}

function dailyBackupSettings(settings: Settings) {
  const at = settings.get('BACKUP_DAILY_AT');
  const hour = at === null ? null : Number.parseInt(at, 10);
  const country = settings.get('FAX_DEFAULT_COUNTRY');
  return { hour, keep: settings.get('BACKUP_KEEP'), timeZone: timeZoneOf({ settings }), country };
}
