import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import type { DesktopCommand, DesktopTray } from '../shared/desktop.ts';
import { setStartAtLogin } from './autostart.ts';
import { showBadge } from './badge.ts';
import { LOCAL_ORIGIN } from './channels.ts';
import { thisComputer } from './computer.ts';
import { readDataKey } from './data-key.ts';
import { saveDiagnostics } from './diagnostics.ts';
import { dataFolder, systemFolder } from './environment.ts';
import { createOwnGateway, type OwnGateway } from './gateway.ts';
import { type ApplicationParts, consoleHandlers, localHandlers } from './handlers.ts';
import { registerHandlers } from './ipc.ts';
import { setApplicationMenu } from './menu.ts';
import { notify } from './notifications.ts';
import { readComputerService, readOfficeDecisions } from './office-file.ts';
import { createOriginGate } from './origin-gate.ts';
import { createPersonNotices } from './person-notices.ts';
import { watchPower } from './power.ts';
import { openPreferences, type Preferences } from './preferences.ts';
import { createQuietTime, type QuietTime } from './quiet-time.ts';
import { secureContents } from './security.ts';
import { createWaitingFiles, type RefusedFile } from './send-files.ts';
import { findGatewayPlace, type GatewayPlace, isTerminalServer } from './terminal-server.ts';
import { type ApplicationTray, createApplicationTray, QUIET_TRAY } from './tray.ts';
import { type ApplicationUpdates, openUpdates } from './updates/application-updates.ts';
import { createWaitingCommands } from './waiting-commands.ts';
import { createMainWindow, type MainWindow } from './window.ts';
import { createWindowContent, type WindowContent } from './window-content.ts';

/** Begins the application and loads its page, shown or for the tray alone. */
export async function startApplication(options: {
  show: boolean;
  acceptEmptyStore: boolean;
}): Promise<Application> {
  const folder = app.getPath('userData');
  const computer = thisComputer(systemFolder());
  const [office, isShared, service] = await Promise.all([
    readOfficeDecisions(computer),
    isTerminalServer(computer),
    readComputerService(),
  ]);
  const gatewayPlace = await findGatewayPlace({
    isForSeveral: isShared || service !== null,
    isDecided: office?.gateway !== undefined,
    dataFolder: accountData(),
  });
  const [preferences, updates] = await Promise.all([
    openPreferences(folder, office ?? {}, gatewayPlace === 'elsewhere' ? (service?.gateway ?? null) : null),
    openUpdates(folder, { office, isTerminalServer: isShared }),
  ]);
  if (office?.startAtLogin !== undefined) await setStartAtLogin(office.startAtLogin);
  const application = new Application(preferences, updates, {
    isOfficeKnown: office !== null,
    gatewayPlace,
    isNetworkOff: office?.isNetworkOff ?? false,
    hasService: service !== null,
  });
  if (options.acceptEmptyStore) application.gateway.acceptEmptyStore();
  await application.content.open(options);
  return application;
}

/** Line of the log, in the form that a problem report takes over. */
const KEPT_GATEWAY =
  'this account keeps the gateway that it had, although the computer is for several people';
const KEPT_BESIDE_SERVICE =
  'this account keeps the gateway that it had, although the computer has a service for everyone';
const NO_DATA_FOLDER = 'This window does not show Faxdesk on this computer, so there is no data folder here.';
const NOT_CONNECTED = 'Faxdesk is not connected';

/** Says that documents went with the person for whom they waited, without naming them to the next one. */
const removedFiles = (count: number) => ({
  message: count === 1 ? 'A document was not added.' : `${count} documents were not added.`,
  detail: 'Another person was signed in when Send as fax was chosen. Choose it again for a fax of yours.',
});

/** Folder of the account's own gateway. An instance with a profile of its own has an installation of its own. */
function accountData(): string {
  const isApart = app.commandLine.hasSwitch('user-data-dir');
  return isApart ? join(app.getPath('userData'), 'data') : dataFolder();
}

export type { Application };

/** The application: one window, one tray, and the gateway of this computer unless another's was chosen. */
class Application implements ApplicationParts {
  readonly dataFolder = accountData();
  readonly gatewayPlace: GatewayPlace;
  /** True where a service of this computer runs Faxdesk for everyone. */
  readonly hasService: boolean;
  readonly gate = createOriginGate();
  readonly files = createWaitingFiles();
  readonly commands = createWaitingCommands();
  readonly notices = createPersonNotices({
    open: (path) => {
      this.window.show();
      this.#queueCommand({ open: path }, true);
    },
    onPerson: (person) => this.#followPerson(person),
  });
  readonly preferences: Preferences;
  readonly gateway: OwnGateway;
  readonly window: MainWindow;
  readonly content: WindowContent;
  readonly quiet: QuietTime;
  readonly #updates: ApplicationUpdates;
  readonly #tray: ApplicationTray;
  #shownTray: DesktopTray = QUIET_TRAY;
  #isQuitting = false;

  constructor(
    preferences: Preferences,
    updates: ApplicationUpdates,
    facts: { isOfficeKnown: boolean; gatewayPlace: GatewayPlace; isNetworkOff: boolean; hasService: boolean },
  ) {
    const folder = app.getPath('userData');
    this.gatewayPlace = facts.gatewayPlace;
    this.hasService = facts.hasService;
    this.preferences = preferences;
    this.#updates = updates;
    this.gateway = createOwnGateway({
      dataFolder: this.dataFolder,
      dataKey: () => readDataKey(this.dataFolder),
      isNetworkOff: facts.isNetworkOff,
    });
    if (this.gatewayPlace === 'kept' && preferences.gateway.kind === 'own')
      this.gateway.lines.note(facts.hasService ? KEPT_BESIDE_SERVICE : KEPT_GATEWAY);
    this.window = createMainWindow({
      folder,
      shouldKeepRunning: () => this.#shouldKeepRunning(),
      onLoadFailed: () => void this.content.loadFailed(),
      onSessionEnding: () => this.#sessionEnding(),
    });
    const { gateway, gate, window } = this;
    this.content = createWindowContent({
      gateway,
      gate,
      window,
      preferences,
      ...facts,
      onOtherGateway: (isConnected) =>
        this.showTray(isConnected ? QUIET_TRAY : { ...QUIET_TRAY, state: 'broken', tooltip: NOT_CONNECTED }),
      describeFailedUpdate: (failure) => updates.describeFailure(failure),
    });
    this.#tray = this.#makeTray();
    this.quiet = createQuietTime({
      preferences,
      onChange: (until) => this.#tray.showQuiet(until),
      onEnd: (notices) => this.#showHeldBack(notices),
    });
    this.#registerListeners();
  }

  #makeTray(): ApplicationTray {
    return createApplicationTray({
      open: () => this.window.show(),
      newFaxes: () => this.command('open-inbox'),
      myItems: () => this.command('open-work'),
      newFax: () => this.command('new-fax'),
      toggleSending: () => this.#queueCommand('toggle-sending'),
      showUpdate: () => void this.#checkForUpdates(),
      beQuiet: (until) => void this.quiet.set(until),
      quit: () => app.quit(),
    });
  }

  #registerListeners(): void {
    secureContents(this.gate);
    const isWindow = (id: number) => id === this.window.id;
    registerHandlers('console', consoleHandlers(this), { origin: () => this.gate.origin, isWindow });
    registerHandlers('local', localHandlers(this), { origin: () => LOCAL_ORIGIN, isWindow });
    setApplicationMenu({
      command: (command) => this.command(command),
      chooseGateway: this.preferences.isDecided('gateway') ? null : () => void this.content.choose(),
      saveDiagnostics: () => void this.saveDiagnostics(),
      checkForUpdates: () => void this.#checkForUpdates(),
      openDataFolder: () => void this.#openDataFolder(),
    });
    this.#updates.begin({
      onNewVersion: (version) => this.#tray.showNewVersion(version),
      onNotice: () => void this.#checkForUpdates(),
      gateway: this.gateway,
      dataFolder: this.dataFolder,
      isOwn: () => this.content.isOwn,
      showStatus: async (status) => {
        await this.content.showUpdate(status);
        this.window.show();
      },
      showGateway: () => this.content.goBack(),
    });
    watchPower(this.gateway, () => app.quit());
    this.gateway.on('state', ({ kind }) => {
      const tooltip = 'Faxdesk has stopped';
      if (kind === 'failed') this.#drawTray({ ...QUIET_TRAY, state: 'broken', tooltip });
      if (kind === 'running') this.#drawTray(this.#shownTray);
    });
    app.on('activate', () => this.window.show());
    app.on('before-quit', (event) => this.#beforeQuit(event));
    // Closing the last window is no reason to quit.
    app.on('window-all-closed', () => {});
  }

  showTray(tray: DesktopTray): void {
    this.#shownTray = tray;
    this.#drawTray(tray);
  }

  #drawTray(tray: DesktopTray): void {
    this.#tray.show(tray);
    showBadge(tray, this.window.browserWindow);
  }

  command(command: DesktopCommand): void {
    this.window.show();
    this.#queueCommand(command);
  }

  #queueCommand(command: DesktopCommand, isPersonal = false): void {
    this.commands.add(command, isPersonal);
    this.window.send('commands-waiting');
  }

  /** Documents of *Send as fax* land on the Send screen of the person who is signed in. */
  async sendAsFax(paths: readonly string[]): Promise<void> {
    this.window.show();
    const refused = await this.files.add(paths);
    // A person may have signed in while they were read.
    const late = this.files.askAgain();
    if (late !== null) void this.#settleFiles(late.person, late.names);
    this.#offerFiles();
    if (refused.length > 0) await this.#showRefused(refused);
  }

  #offerFiles(): void {
    if (this.files.count === 0) return;
    this.window.send('files-waiting');
    // The screen may be another one, which takes no documents.
    this.#queueCommand('new-fax', true);
  }

  #followPerson(person: string | null): void {
    this.commands.dropPersonal();
    const { removed, unclaimed } = this.files.setPerson(person);
    if (removed > 0) void this.#showMessage({ type: 'info', ...removedFiles(removed) });
    if (person !== null && unclaimed.length > 0) void this.#settleFiles(person, unclaimed);
    this.#offerFiles();
  }

  /** Lets the person who signs in decide about documents that came before. */
  async #settleFiles(person: string, names: readonly string[]): Promise<void> {
    const response = await this.#showMessage({
      type: 'question',
      message: 'Are these documents yours?',
      detail: `${names.join('\n')}\n\nThey came by Send as fax while no one was signed in.`,
      buttons: ['Add to a fax', 'Remove'],
      cancelId: 1,
    });
    this.files.claim(person, response === 0);
    this.#offerFiles();
  }

  async #showRefused(refused: readonly RefusedFile[]): Promise<void> {
    await this.#showMessage({
      type: 'warning',
      message: refused.length === 1 ? 'One document was not added.' : 'Some documents were not added.',
      detail: refused.map(({ name, reason }) => `${name}: ${reason}`).join('\n'),
    });
  }

  async #openDataFolder(): Promise<void> {
    if (this.content.isOwn) await shell.openPath(this.dataFolder);
    else await this.#showMessage({ type: 'info', message: NO_DATA_FOLDER });
  }

  async #showMessage(words: {
    type: 'info' | 'warning' | 'question';
    message: string;
    detail?: string;
    buttons?: string[];
    cancelId?: number;
  }): Promise<number> {
    const options = { title: 'Faxdesk', buttons: ['OK'], ...words };
    const window = this.window.browserWindow;
    const { response } = await (window === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(window, options));
    return response;
  }

  async saveDiagnostics(): Promise<boolean> {
    const { gateway, dataFolder, gatewayPlace, hasService, content } = this;
    const source = { gateway, dataFolder, gatewayPlace, hasService, isOwn: content.isOwn };
    return saveDiagnostics(source, this.window.browserWindow);
  }

  async goBackToVersion(): Promise<void> {
    await this.#updates.goBackToVersion();
  }

  keepWaiting(): void {
    this.#updates.keepWaiting();
  }

  async #checkForUpdates(): Promise<void> {
    this.window.show();
    await this.#updates.show(() => this.window.browserWindow);
  }

  /** Says after *Do not disturb* that there were notices, if there were any. */
  #showHeldBack(notices: number): void {
    if (notices === 0) return;
    const title = 'Do not disturb is off';
    const body = `${notices === 1 ? '1 notice' : `${notices} notices`} came meanwhile. Open Faxdesk to see what is new.`;
    notify({ title, body }, () => this.window.show());
  }

  #shouldKeepRunning(): boolean {
    if (this.#isQuitting) return false;
    if (!this.preferences.current.closeToTraySaid) {
      const notice = {
        title: 'Faxdesk keeps running',
        body: 'Faxes still arrive. Open or quit it from the tray.',
      };
      notify(notice, () => this.window.show());
      void this.preferences.change({ closeToTraySaid: true });
    }
    return true;
  }

  /** Windows waits a few seconds for a program that requests it. */
  #sessionEnding(): boolean {
    if (!this.gateway.submitting) return false;
    app.quit();
    return true;
  }

  /** A fax that is being handed over is finished before the application ends. */
  #beforeQuit(event: { preventDefault(): void }): void {
    const begun = this.#isQuitting;
    this.#isQuitting = true;
    if (!this.gateway.isAlive) return;
    event.preventDefault();
    if (!begun && this.gateway.submitting) {
      const notice = {
        title: 'A fax is being sent right now',
        body: 'Faxdesk closes as soon as that is done.',
      };
      notify(notice, () => {});
    }
    void this.gateway.stop().then(() => app.quit());
  }
}
