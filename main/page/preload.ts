import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, DesktopPlatform } from '../../shared/desktop.ts';
import {
  type ConsoleCalls,
  channelOf,
  LOCAL_ORIGIN,
  type LocalBridge,
  type LocalCalls,
  type PageEvents,
  type Table,
} from '../channels.ts';
import { showGatewayBar } from './gateway-bar.ts';

const VERSION_ARGUMENT = '--faxdesk-version=';

if (location.origin === LOCAL_ORIGIN) contextBridge.exposeInMainWorld('faxdeskApplication', localBridge());
else {
  contextBridge.exposeInMainWorld('faxdesk', consoleBridge());
  listenTo('gateway', (state) => showGatewayBar(state));
}

/** Returns functions for the calls of a table: main checks the sender and the arguments. */
function asking<Calls>(table: Table) {
  return <Name extends keyof Calls & string>(name: Name): Calls[Name] =>
    ((...args: unknown[]) => ipcRenderer.invoke(channelOf(table, name), ...args)) as Calls[Name];
}

/** Returns: stop hearing. */
function listenTo<Name extends keyof PageEvents>(
  name: Name,
  listener: (...facts: PageEvents[Name]) => void,
): () => void {
  const on = (_event: unknown, ...facts: unknown[]) => listener(...(facts as PageEvents[Name]));
  ipcRenderer.on(name, on);
  // Nothing may be returned: it would hand the channel itself to the page.
  return () => void ipcRenderer.off(name, on);
}

function consoleBridge(): DesktopBridge {
  const ask = asking<ConsoleCalls>('console');
  const takeFiles = ask('takeFiles');
  const takeCommands = ask('takeCommands');
  return {
    platform: process.platform as DesktopPlatform,
    version: versionOf(process.argv),
    takeFiles,
    onFiles: (listener) => {
      const hand = async () => {
        const files = await takeFiles();
        if (files.length > 0) listener(files);
      };
      return waitingAndComing('files-waiting', hand);
    },
    onCommand: (listener) => {
      const hand = async () => {
        for (const command of await takeCommands()) listener(command);
      };
      return waitingAndComing('commands-waiting', hand);
    },
    onGateway: (listener) => presentAndComing('gateway', ask('gatewayState'), listener),
    isInFront: ask('isInFront'),
    showNotice: ask('showNotice'),
    setTray: ask('setTray'),
    signInFirstOwner: ask('signInFirstOwner'),
    preferences: ask('preferences'),
    setPreferences: ask('setPreferences'),
    chooseGateway: ask('chooseGateway'),
    restartGateway: ask('restartGateway'),
    openDataFolder: ask('openDataFolder'),
    chooseFolder: ask('chooseFolder'),
    saveDiagnostics: ask('saveDiagnostics'),
  };
}

/** Takes what waits now and whenever more has come; what was taken is handed over once. */
function waitingAndComing(name: 'files-waiting' | 'commands-waiting', hand: () => Promise<void>): () => void {
  void hand();
  return listenTo(name, () => void hand());
}

/** The present state and every later one. An event may overtake the answer, which is then older. */
function presentAndComing<Name extends 'gateway' | 'status'>(
  name: Name,
  present: () => Promise<PageEvents[Name][0]>,
  listener: (state: PageEvents[Name][0]) => void,
): () => void {
  let hasNewer = false;
  const stop = listenTo(name, (...[state]) => {
    hasNewer = true;
    listener(state);
  });
  void present().then((state) => {
    if (!hasNewer) listener(state);
  });
  return stop;
}

function localBridge(): LocalBridge {
  const ask = asking<LocalCalls>('local');
  return {
    onStatus: (listener) => void presentAndComing('status', ask('status'), listener),
    status: ask('status'),
    tryAgain: ask('tryAgain'),
    saveDiagnostics: ask('saveDiagnostics'),
    openChoice: ask('openChoice'),
    findGateway: ask('findGateway'),
    useGateway: ask('useGateway'),
    goBack: ask('goBack'),
  };
}

function versionOf(words: readonly string[]): string {
  return words.find((word) => word.startsWith(VERSION_ARGUMENT))?.slice(VERSION_ARGUMENT.length) ?? '';
}
