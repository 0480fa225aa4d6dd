import { join } from 'node:path';
import { app, dialog, protocol } from 'electron';
import { type Application, startApplication } from './application.ts';
import { HIDDEN_ARGUMENT } from './autostart.ts';
import { LOCAL_SCHEME } from './channels.ts';
import { watchCloseRequest } from './close-request.ts';
import { localAppData } from './environment.ts';
import { type MovePort, offerMove } from './move-to-applications.ts';
import { takeOverRoaming } from './own-folder.ts';
import { documentPaths } from './send-files.ts';
import { readMacPlace, resourcesFolder } from './updates/installation-facts.ts';
import { findLink, parseLink } from './waiting-commands.ts';

/** As the installer names the application, so that notices and the taskbar belong to it. */
const APP_ID = 'org.faxdesk.desktop';

/** As the sentence of a refused start names it, and `faxdesk serve` takes it. */
const ACCEPT_ARGUMENT = '--accept-empty-store';

/** Calls received before the application was created: macOS passes on files and links while it still starts. */
const queuedCalls: ((application: Application) => void)[] = [];
let running: Application | null = null;

// Whatever the window keeps is for its own account alone.
process.umask(0o077);
app.setName('Faxdesk');
const roamingFolder = join(app.getPath('appData'), 'Faxdesk');
/** The printer, the mailbox and the updates are those of this computer. */
const ownFolder = join(localAppData() ?? app.getPath('appData'), 'Faxdesk');
const isApart = app.commandLine.hasSwitch('user-data-dir');
if (!isApart) app.setPath('userData', ownFolder);
protocol.registerSchemesAsPrivileged([
  { scheme: LOCAL_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: false } },
]);
app.setAppUserModelId(APP_ID);
app.enableSandbox();

if (app.requestSingleInstanceLock()) {
  if (!isApart) takeOver();
  registerListeners();
  void app.whenReady().then(start);
} else {
  // The first instance has received the files and links of this one.
  app.quit();
}

/** Chromium reads the folder only after this. What cannot be taken over now is used where it is, and taken over at the next start. */
function takeOver(): void {
  try {
    takeOverRoaming(roamingFolder, ownFolder);
  } catch (error) {
    process.stderr.write(`${roamingFolder} is used, as it could not be taken over: ${String(error)}\n`);
    app.setPath('userData', roamingFolder);
  }
}

function registerListeners(): void {
  app.on('second-instance', (_event, words, folder) =>
    withApplication((it) => {
      if (words.includes(ACCEPT_ARGUMENT)) startAgain(it);
      open(it, words, folder);
    }),
  );
  app.on('open-file', (event, path) => {
    event.preventDefault();
    withApplication((it) => void it.sendAsFax([path]));
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    withApplication((it) => openLink(it, link));
  });
}

async function start(): Promise<void> {
  const { wasOpenedAtLogin } = app.getLoginItemSettings();
  const hidden = process.argv.includes(HIDDEN_ARGUMENT) || wasOpenedAtLogin;
  const acceptEmptyStore = process.argv.includes(ACCEPT_ARGUMENT);
  // A document that was opened would be lost with the move.
  if (!hidden && queuedCalls.length === 0 && (await offerMove(movePort()))) return;
  const application = await startApplication({ show: !hidden, acceptEmptyStore });
  running = application;
  watchCloseRequest(resourcesFolder(), () => app.quit());
  if (!hidden) open(application, process.argv, process.cwd());
  for (const work of queuedCalls.splice(0)) work(application);
}

function movePort(): MovePort {
  const words = { title: 'Faxdesk', type: 'question' as const };
  return {
    place: readMacPlace(),
    ask: async (question) => (await dialog.showMessageBox({ ...words, ...question })).response,
    askAtOnce: (question) => dialog.showMessageBoxSync({ ...words, ...question }),
    move: ({ mayReplace }) =>
      app.moveToApplicationsFolder({
        conflictHandler: (kind) => kind === 'existsAndRunning' || mayReplace(),
      }),
    note: (line) => process.stderr.write(`${line}\n`),
  };
}

/** Only where the start was refused: a gateway that runs needs no such start. */
function startAgain({ gateway }: Application): void {
  if (gateway.state.kind !== 'failed') return;
  gateway.acceptEmptyStore();
  void gateway.start();
}

function withApplication(work: (application: Application) => void): void {
  if (running === null) queuedCalls.push(work);
  else work(running);
}

/** Opens the documents or the link of a command line, or only the window. */
function open(application: Application, words: readonly string[], folder: string): void {
  const documents = documentPaths(words, folder);
  const link = findLink(words);
  if (documents.length > 0) void application.sendAsFax(documents);
  if (link !== null) openLink(application, link);
  if (documents.length === 0 && link === null) application.window.show();
}

function openLink(application: Application, link: string): void {
  const command = parseLink(link);
  if (command === null) application.window.show();
  else application.command(command);
}
