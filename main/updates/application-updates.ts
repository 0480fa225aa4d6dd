import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, net, shell } from 'electron';
import { WAY_BACK_FILE } from '../../shared/data-folder.ts';
import type { LocalStatus } from '../channels.ts';
import { appImagePath, environmentOutsideAppImage, systemFolder, updatesVariable } from '../environment.ts';
import { builtFile } from '../files.ts';
import type { OwnGateway } from '../gateway.ts';
import { notify } from '../notifications.ts';
import { readOwnerFile, writeOwnerFile } from '../owner-file.ts';
import { cleanAppImage, keepAppImage, replaceAppImage, startWhenEnded } from './app-image.ts';
import { fits } from './download.ts';
import { type FirstStart, watchFirstStart } from './first-start.ts';
import { installNow, isAppImage, isInstallable } from './install.ts';
import { installationProblem } from './installation-check.ts';
import { readInstallation } from './installation-facts.ts';
import { checkPublisher, type PublisherCheck } from './publisher.ts';
import { runProgram } from './run-program.ts';
import { readUpdateKeys, UPDATE_KEYS_FILE } from './update-keys.ts';
import {
  type Beginning,
  type Installer,
  openUpdateRecord,
  type Underway,
  type UpdateRecord,
} from './update-record.ts';
import { readUpdateSettings, type UpdateSettings, type UpdateSources } from './update-settings.ts';
import { returnedWords, updatedWords, updateWords } from './update-words.ts';
import { createUpdates, type OwnInstaller, type UpdateState, type Updates } from './updates.ts';

/** A person who asks waits this long before the state is shown as it is. */
const PATIENCE_MS = 5_000;

const NOW = 'Install now';
const SHOW = 'Show installer';
const NO_KEYS =
  'The installation of Faxdesk on this computer is damaged, so it does not look for new versions. Install it again.';
const INSTALLING = {
  message: 'The new version is about to be installed',
  detail: 'The installer opens as soon as no fax is being sent and a backup is made.',
};

interface Listeners {
  /** Called with a version that is ready to install, and with null when there is none. */
  readonly onNewVersion: (version: string | null) => void;
  /** A notice was clicked. */
  readonly onNotice: () => void;
  /** Stopped before an installer is opened. */
  readonly gateway: OwnGateway;
  readonly dataFolder: string;
  /** True when the window shows the gateway of this computer. */
  readonly isOwn: () => boolean;
  /** Shows the progress of an installation in place of the gateway. */
  readonly showStatus: (status: LocalStatus) => Promise<void>;
  /** Shows the gateway again. */
  readonly showGateway: () => Promise<void>;
}

/** Reads how this computer gets new versions, and whether this one was just installed. `folder` is the application's own. */
export async function openUpdates(folder: string, sources: UpdateSources): Promise<ApplicationUpdates> {
  const version = app.getVersion();
  const record = await openUpdateRecord(folder);
  const beginning = await record.begin(version).catch((error: unknown): Beginning => {
    note(`the start of this version could not be recorded: ${String(error)}`);
    return { kind: 'usual' };
  });
  const keys = await readUpdateKeys(builtFile(UPDATE_KEYS_FILE));
  const settings: UpdateSettings =
    keys === null ? { kind: 'off', sentence: NO_KEYS } : await readSettings(sources);
  const computer = settings.kind === 'on' ? await computerId(join(folder, 'update-id')) : '';
  const areEntriesSigned = keys !== null && keys.length > 0;
  const make: ApplicationUpdatesParts['make'] = (ownInstaller, onState) =>
    createUpdates({
      settings,
      computer,
      version,
      paused: () => record.current.paused,
      ownInstaller,
      checkPublisher: (file) => publisherOf(file, areEntriesSigned),
      system: process,
      keys: keys ?? [],
      folder: join(folder, 'updates'),
      fetch: (address, init) => net.fetch(address, init),
      later,
      random: Math.random,
      onState,
      note,
    });
  return new ApplicationUpdates({ make, record, beginning, folder, areEntriesSigned });
}

async function readSettings(sources: UpdateSources): Promise<UpdateSettings> {
  const settings = readUpdateSettings({ ...sources, environment: updatesVariable() });
  if (settings.kind === 'off') return settings;
  const problem = await installationProblem(readInstallation());
  return problem?.isFixed ? { kind: 'off', sentence: problem.sentence } : settings;
}

export type { ApplicationUpdates };

interface ApplicationUpdatesParts {
  readonly make: (ownInstaller: OwnInstaller, onState: (state: UpdateState) => void) => Updates;
  readonly record: UpdateRecord;
  readonly beginning: Beginning;
  /** True when every entry that was taken is signed with a key of the makers. */
  readonly areEntriesSigned: boolean;
  /** The application's own folder. */
  readonly folder: string;
}

/** New versions as a person of this computer meets them: a line in the tray, a notice, a dialog, and their first start. */
class ApplicationUpdates {
  readonly #updates: Updates;
  readonly #record: UpdateRecord;
  readonly #beginning: Beginning;
  readonly #folder: string;
  readonly #areEntriesSigned: boolean;
  #listeners: Listeners | null = null;
  #firstStart: FirstStart | null = null;
  #announced: string | null = null;
  #isInstalling = false;

  constructor({ make, record, beginning, folder, areEntriesSigned }: ApplicationUpdatesParts) {
    this.#record = record;
    this.#beginning = beginning;
    this.#folder = folder;
    this.#areEntriesSigned = areEntriesSigned;
    const ownInstaller: OwnInstaller = {
      folder: this.#keptFolder,
      isMissing: (offered) => this.#isOwnInstallerMissing(offered),
      keep: (installer) => this.#keepOwnInstaller(installer),
    };
    this.#updates = make(ownInstaller, (state) => this.#announce(state));
  }

  /** To be called before the gateway is started. */
  begin(listeners: Listeners): void {
    this.#listeners = listeners;
    this.#updates.start();
    const appImage = appImagePath();
    if (appImage !== null)
      void cleanAppImage(appImage, this.#keptFolder).catch((error: unknown) => note(String(error)));
    app.on('will-quit', () => this.#updates.stop());
    const beginning = this.#beginning;
    if (beginning.kind === 'updated') this.#watch(beginning, listeners);
    if (beginning.kind === 'returned') notify(returnedWords(beginning.from, app.getVersion()), () => {});
  }

  #watch({ underway }: Extract<Beginning, { kind: 'updated' }>, listeners: Listeners): void {
    const { gateway, isOwn, showStatus, dataFolder, onNotice } = listeners;
    this.#firstStart = watchFirstStart({
      underway,
      record: this.#record,
      gateway,
      folder: this.#keptFolder,
      isWayBackOpen: () => existsSync(join(dataFolder, WAY_BACK_FILE)),
      show: showStatus,
      onSuccess: () => notify(updatedWords(underway.to), onNotice),
      open: openInstaller,
      quit: () => quitFor(underway.from),
      later,
      note,
    });
    // The gateway of another computer is not updated from here.
    if (!isOwn()) void this.#firstStart.succeed();
  }

  /** Describes a gateway that does not start after an update; null when there was none. */
  async describeFailure(failure: {
    sentence: string;
    lines: readonly string[];
  }): Promise<LocalStatus | null> {
    return this.#firstStart?.isPending ? this.#firstStart.describe(failure) : null;
  }

  async goBackToVersion(): Promise<void> {
    await this.#firstStart?.goBack();
  }

  keepWaiting(): void {
    this.#firstStart?.keepWaiting();
  }

  /** Shows the state, after a check unless a version is ready. */
  async show(window: () => BrowserWindow | null): Promise<void> {
    if (this.#updates.state.kind !== 'ready') await within(PATIENCE_MS, this.#updates.check());
    const { message, detail, installer } = updateWords(this.#updates.state, app.getVersion());
    if (this.#isInstalling) return void (await showDialog(window(), INSTALLING));
    if (installer === null) return void (await showDialog(window(), { message, detail }));
    const problem = isInstallable(installer.file) ? await installationProblem(readInstallation()) : null;
    if (problem !== null) return void (await showDialog(window(), { message, detail: problem.sentence }));
    const buttons = [...(isInstallable(installer.file) ? [NOW] : []), SHOW, 'Later'];
    const chosen = buttons[await showDialog(window(), { message, detail, buttons })];
    if (chosen === SHOW) shell.showItemInFolder(installer.file);
    if (chosen === NOW) await this.#install(installer, window);
  }

  async #install(installer: Installer, window: () => BrowserWindow | null): Promise<void> {
    const listeners = this.#listeners;
    if (listeners === null || this.#isInstalling) return;
    const { gateway, showStatus, showGateway } = listeners;
    const { version } = installer;
    const before = this.#record.current.underway;
    if (gateway.submitting) notify({ title: INSTALLING.message, body: INSTALLING.detail }, () => {});
    this.#isInstalling = true;
    try {
      const problem = await installNow(installer, {
        gateway,
        onBegin: () => void showStatus({ kind: 'installing', version, isBack: false }),
        record: async (begun) => {
          if (begun === null) return this.#record.change({ underway: before });
          const underway = this.#underwayOf(installer, begun.backup, listeners);
          await this.#record.change({ underway, kept: await this.#keptFor(underway, installer) });
        },
        open: openInstaller,
        quit: () => quitFor(version),
      });
      if (problem === null) return;
      await showGateway();
      void this.#updates.check();
      await showDialog(window(), { message: problem, detail: '' });
    } finally {
      this.#isInstalling = false;
    }
  }

  get #keptFolder(): string {
    return join(this.#folder, 'kept-installer');
  }

  /** An AppImage is kept itself, and a version that has not been ready leads back to the one before it. */
  async #isOwnInstallerMissing(offered: string): Promise<boolean> {
    const { kept, underway } = this.#record.current;
    if (!isInstallable(offered) || isAppImage(offered) || this.#listeners?.isOwn() === false) return false;
    if (underway !== null || this.#isInstalling) return false;
    return kept?.version !== app.getVersion() || !(await fits(kept.file, kept).catch(() => false));
  }

  async #keepOwnInstaller(installer: Installer): Promise<void> {
    const publisher = await publisherOf(installer.file, this.#areEntriesSigned);
    if (publisher !== 'confirmed') throw new Error(`its publisher is ${publisher}`);
    if (this.#record.current.underway === null) await this.#record.change({ kept: installer });
  }

  /** The way back from an AppImage is the file that runs, also where a person has put it there. */
  async #keptFor({ from }: Underway, { file }: Installer): Promise<Installer | null> {
    const { kept } = this.#record.current;
    const appImage = appImagePath();
    if (!isAppImage(file) || appImage === null || from !== app.getVersion()) return kept;
    if (kept?.version === from && (await fits(kept.file, kept).catch(() => false))) return kept;
    return keepAppImage(appImage, from, this.#keptFolder);
  }

  /** A version that was never ready leads back to the one before it, and to the backup from then. */
  #underwayOf(installer: Installer, backup: string | null, { dataFolder }: Listeners): Underway {
    const failed = this.#firstStart?.isPending ? this.#record.current.underway : null;
    const made = backup ?? failed?.backup ?? null;
    return {
      from: failed?.from ?? app.getVersion(),
      to: installer.version,
      backup: made,
      canRestore: made !== null && existsSync(join(dataFolder, WAY_BACK_FILE)),
      installer,
      hasStarted: false,
    };
  }

  #announce(state: UpdateState): void {
    // Meanwhile the version before stays offered, and is announced only once.
    if (state.kind === 'checking' || state.kind === 'downloading') return;
    const version = state.kind === 'ready' ? state.version : null;
    if (version === this.#announced) return;
    this.#announced = version;
    this.#listeners?.onNewVersion(version);
    if (version === null) return;
    const body = 'Click here to read what is new and install it.';
    notify({ title: `Faxdesk ${version} is ready`, body }, () => this.#listeners?.onNotice());
  }
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

function later(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** Checks the publisher of an installer. A build for development has none to compare. */
async function publisherOf(file: string, isFromMakers: boolean): Promise<PublisherCheck> {
  if (!app.isPackaged) return 'confirmed';
  const { platform } = process;
  const parts = { platform, program: app.getPath('exe'), systemFolder: systemFolder(), isFromMakers };
  return checkPublisher(file, { ...parts, run: runProgram });
}

async function openInstaller(installer: Installer): Promise<string> {
  const appImage = appImagePath();
  if (!isAppImage(installer.file) || appImage === null) return shell.openPath(installer.file);
  const problem = await replaceAppImage(appImage, installer);
  if (problem === '') startWhenEnded(appImage, environmentOutsideAppImage());
  return problem;
}

function quitFor(version: string): void {
  note(`the installer of version ${version} was opened`);
  app.quit();
}

/** Shows a dialog of the system. Returns the place of the chosen button; closing it chooses the last one. */
async function showDialog(
  parent: BrowserWindow | null,
  { buttons = ['OK'], ...words }: { message: string; detail: string; buttons?: string[] },
): Promise<number> {
  const cancelId = buttons.length - 1;
  const options = { type: 'info' as const, title: 'Faxdesk', ...words, buttons, cancelId };
  const { response } = await (parent === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(parent, options));
  return response;
}

async function computerId(path: string): Promise<string> {
  const kept = await readOwnerFile(path).catch(() => null);
  if (kept !== null && kept.trim() !== '') return kept.trim();
  const made = randomUUID();
  // An id that cannot be kept lasts for this run.
  await writeOwnerFile(path, `${made}\n`).catch(() => {});
  return made;
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
