import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, DesktopPlatform } from '../../shared/desktop.ts';
import {
  type ChannelTable,
  type ConsoleCalls,
  channelOf,
  LOCAL_ORIGIN,
  type LocalBridge,
  type LocalCalls,
  type PageEvents,
} from '../channels.ts';
import { showGatewayBar } from './gateway-bar.ts';

const VERSION_ARGUMENT = '--faxdesk-version=';

if (location.origin === LOCAL_ORIGIN) contextBridge.exposeInMainWorld('faxdeskApplication', localBridge());
else {
  contextBridge.exposeInMainWorld('faxdesk', consoleBridge());
  subscribe('gateway', (state) => showGatewayBar(state));
}

/** Returns functions for the calls of a table: main checks the sender and the arguments. */
function createInvoker<Calls>(table: ChannelTable) {
  return <Name extends keyof Calls & string>(name: Name): Calls[Name] =>
    ((...args: unknown[]) => ipcRenderer.invoke(channelOf(table, name), ...args)) as Calls[Name];
}

/** Returns: stop hearing. */
function subscribe<Name extends keyof PageEvents>(
  name: Name,
  listener: (...facts: PageEvents[Name]) => void,
): () => void {
  const on = (_event: unknown, ...facts: unknown[]) => listener(...(facts as PageEvents[Name]));
  ipcRenderer.on(name, on);
  // Nothing may be returned: it would hand the channel itself to the page.
  return () => void ipcRenderer.off(name, on);
}

function consoleBridge(): DesktopBridge {
  const invoke = createInvoker<ConsoleCalls>('console');
  const takeFiles = invoke('takeFiles');
  const takeCommands = invoke('takeCommands');
  return {
    platform: process.platform as DesktopPlatform,
    version: versionOf(process.argv),
    takeFiles,
    onFiles: (listener) => {
      const deliver = async () => {
        const files = await takeFiles();
        if (files.length > 0) listener(files);
      };
      return takeAndSubscribe('files-waiting', deliver);
    },
    onCommand: (listener) => {
      const deliver = async () => {
        for (const command of await takeCommands()) listener(command);
      };
      return takeAndSubscribe('commands-waiting', deliver);
    },
    onGateway: (listener) => readAndSubscribe('gateway', invoke('gatewayState'), listener),
    isInFront: invoke('isInFront'),
    showNotice: invoke('showNotice'),
    openWindow: invoke('openWindow'),
    setTray: invoke('setTray'),
    setPerson: invoke('setPerson'),
    beginSignIn: invoke('beginSignIn'),
    signInFirstOwner: invoke('signInFirstOwner'),
    preferences: invoke('preferences'),
    decidedByOffice: invoke('decidedByOffice'),
    keepsGateway: invoke('keepsGateway'),
    hasService: invoke('hasService'),
    setPreferences: invoke('setPreferences'),
    printers: invoke('printers'),
    addPrinter: invoke('addPrinter'),
    print: invoke('print'),
    chooseGateway: invoke('chooseGateway'),
    restartGateway: invoke('restartGateway'),
    openDataFolder: invoke('openDataFolder'),
    chooseFolder: invoke('chooseFolder'),
    saveDiagnostics: invoke('saveDiagnostics'),
  };
}

/** Delivers the waiting files or commands now and whenever more have come; each is handed over once. */
function takeAndSubscribe(
  name: 'files-waiting' | 'commands-waiting',
  deliver: () => Promise<void>,
): () => void {
  void deliver();
  return subscribe(name, () => void deliver());
}

/** The present state and every later one. An event may overtake the answer, which is then older. */
function readAndSubscribe<Name extends 'gateway' | 'status'>(
  name: Name,
  present: () => Promise<PageEvents[Name][0]>,
  listener: (state: PageEvents[Name][0]) => void,
): () => void {
  let hasNewer = false;
  const stop = subscribe(name, (...[state]) => {
    hasNewer = true;
    listener(state);
  });
  void present().then((state) => {
    if (!hasNewer) listener(state);
  });
  return stop;
}

function localBridge(): LocalBridge {
  const invoke = createInvoker<LocalCalls>('local');
  return {
    onStatus: (listener) => void readAndSubscribe('status', invoke('status'), listener),
    status: invoke('status'),
    tryAgain: invoke('tryAgain'),
    saveDiagnostics: invoke('saveDiagnostics'),
    openChoice: invoke('openChoice'),
    findGateway: invoke('findGateway'),
    searchNetwork: invoke('searchNetwork'),
    findAnnounced: invoke('findAnnounced'),
    useGateway: invoke('useGateway'),
    goBack: invoke('goBack'),
    goBackToVersion: invoke('goBackToVersion'),
    keepWaiting: invoke('keepWaiting'),
  };
}

function versionOf(words: readonly string[]): string {
  return words.find((word) => word.startsWith(VERSION_ARGUMENT))?.slice(VERSION_ARGUMENT.length) ?? '';
}
