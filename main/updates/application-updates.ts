import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { app, type BrowserWindow, dialog, net, shell } from 'electron';
import { programFiles, updatesVariable } from '../environment.ts';
import type { OwnGateway } from '../gateway.ts';
import { notify } from '../notifications.ts';
import { readOwnerFile, writeOwnerFile } from '../owner-file.ts';
import { installNow, isInstallable } from './install.ts';
import { officeFile, readUpdateSettings } from './update-settings.ts';
import { updateWords } from './update-words.ts';
import { createUpdates, type UpdateState, type Updates } from './updates.ts';

/** A person who asks waits this long before the state is shown as it is. */
const PATIENCE_MS = 5_000;

const NOW = 'Install now';
const SHOW = 'Show installer';
const INSTALLING = {
  message: 'The new version is about to be installed',
  detail: 'The installer opens as soon as no fax is being sent and a backup is made.',
};

interface Listeners {
  /** Called with a version that is ready to install, and with null when there is none. */
  readonly onNewVersion: (version: string | null) => void;
  /** The notice of a new version was clicked. */
  readonly onNotice: () => void;
  /** Stopped before an installer is opened. */
  readonly gateway: OwnGateway;
}

/** Reads how this computer gets new versions. `folder` is the application's own. */
export async function openUpdates(folder: string): Promise<ApplicationUpdates> {
  // A file that is there and cannot be read counts as damaged.
  const office = await readOwnerFile(officeFile(process.platform, programFiles())).catch(() => '');
  const settings = readUpdateSettings({ office, environment: updatesVariable() });
  const computer = settings.kind === 'on' ? await computerId(join(folder, 'update-id')) : '';
  return new ApplicationUpdates((onState) =>
    createUpdates({
      settings,
      computer,
      version: app.getVersion(),
      system: process,
      folder: join(folder, 'updates'),
      fetch: (address, init) => net.fetch(address, init),
      later: (work, ms) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
      random: Math.random,
      onState,
      note: (line) => void process.stderr.write(`${line}\n`),
    }),
  );
}

export type { ApplicationUpdates };

/** New versions as a person of this computer meets them: a line in the tray, a notice, and a dialog. */
class ApplicationUpdates {
  readonly #updates: Updates;
  #listeners: Listeners | null = null;
  #announced: string | null = null;
  #isInstalling = false;

  constructor(make: (onState: (state: UpdateState) => void) => Updates) {
    this.#updates = make((state) => this.#announce(state));
  }

  begin(listeners: Listeners): void {
    this.#listeners = listeners;
    this.#updates.start();
    app.on('will-quit', () => this.#updates.stop());
  }

  /** Shows the state, after a check unless a version is ready. */
  async show(window: () => BrowserWindow | null): Promise<void> {
    if (this.#updates.state.kind !== 'ready') await within(PATIENCE_MS, this.#updates.check());
    const { message, detail, file } = updateWords(this.#updates.state, app.getVersion());
    if (this.#isInstalling) return void (await showDialog(window(), INSTALLING));
    const buttons = file === null ? ['OK'] : [...(isInstallable(file) ? [NOW] : []), SHOW, 'Later'];
    const chosen = buttons[await showDialog(window(), { message, detail, buttons })];
    if (file === null) return;
    if (chosen === SHOW) shell.showItemInFolder(file);
    if (chosen === NOW) await this.#install(file, window);
  }

  async #install(file: string, window: () => BrowserWindow | null): Promise<void> {
    const { gateway } = this.#listeners ?? {};
    if (gateway === undefined || this.#isInstalling) return;
    if (gateway.submitting) notify({ title: INSTALLING.message, body: INSTALLING.detail }, () => {});
    const quit = () => {
      process.stderr.write(`the installer ${basename(file)} was opened\n`);
      app.quit();
    };
    this.#isInstalling = true;
    try {
      const problem = await installNow(file, { gateway, open: (path) => shell.openPath(path), quit });
      if (problem !== null) await showDialog(window(), { message: problem, detail: '' });
    } finally {
      this.#isInstalling = false;
    }
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
