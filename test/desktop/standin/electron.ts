import type * as Electron from 'electron';
import { app } from './app.ts';
import { BrowserWindow, screen } from './browser-window.ts';
import { listenToTests } from './control.ts';
import { ipcMain } from './ipc.ts';
import { MessageChannelMain } from './message-channel.ts';
import {
  dialog,
  Menu,
  MenuItem,
  Notification,
  nativeImage,
  nativeTheme,
  net,
  type Picture,
  powerMonitor,
  powerSaveBlocker,
  shell,
  Tray,
} from './parts.ts';
import { recorder } from './recorder.ts';
import { safeStorage } from './safe-storage.ts';
import { closeSessions, protocol, Session, session } from './session.ts';
import { settings } from './settings.ts';
import { UtilityProcess, utilityProcess } from './utility-process.ts';
import { WebContents } from './web-contents.ts';

// A stand-in for the `electron` of the main process, on Node and a real Chromium, for tests only. It is checked against
// Electron's types; what runs on it was not tested on Electron.

export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  MessageChannelMain,
  Notification,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  Session,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  UtilityProcess,
  utilityProcess,
  WebContents,
};

// Types that the application takes from `electron`.
export type IpcMainInvokeEvent = Electron.IpcMainInvokeEvent;
export type MenuItemConstructorOptions = Electron.MenuItemConstructorOptions;
export type MessageEvent = Electron.MessageEvent;
export type MessagePortMain = Electron.MessagePortMain;
export type NativeImage = Picture;
export type Rectangle = Electron.Rectangle;
export type { WebPreferences } from './web-contents.ts';

export const electron = {
  app,
  BrowserWindow,
  ipcMain,
  Menu,
  nativeTheme,
  powerMonitor,
  session,
  shell,
  recorder,
};

app.beforeExit = closeSessions;
if (settings.control !== null) listenToTests(settings.control, electron);
setImmediate(() => app.boot());
