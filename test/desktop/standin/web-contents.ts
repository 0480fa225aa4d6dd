import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type * as Electron from 'electron';
import type { CDPSession, Page } from 'playwright';
import { ipcMain, type Received } from './ipc.ts';
import { record, recorder } from './recorder.ts';
import type { OwnedPage, Session } from './session.ts';
import { decode, encode, isolatedWorldScript, mainWorldScript, PRELOAD_WORLD } from './worlds.ts';

const FAILED = { code: -102, words: 'ERR_CONNECTION_REFUSED' } as const;
const ABORTED = { code: -3, words: 'ERR_ABORTED' } as const;
const TIMEOUT_MS = 30_000;

/** As Electron's, with a session of ours. */
export type WebPreferences = Omit<Electron.WebPreferences, 'session'> & { session?: Session };

let last = 0;

/** The page of a window: a Chromium page with the preload in a world of its own. */
export class WebContents
  extends EventEmitter
  implements
    Pick<
      Electron.WebContents,
      | 'getPrintersAsync'
      | 'getURL'
      | 'id'
      | 'isDestroyed'
      | 'openDevTools'
      | 'print'
      | 'send'
      | 'setWindowOpenHandler'
    >,
    OwnedPage
{
  readonly id = (last += 1);
  readonly session: Session;
  readonly #preferences: WebPreferences;
  #opened: Promise<Page> | null = null;
  #loading = '';
  #openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null;
  #cdp: CDPSession | null = null;
  /** Contexts of the preload's world by their number, with the origin of their document. */
  readonly #worlds = new Map<number, string>();
  #present = 0;
  page: Page | null = null;
  /** ID by which a test finds this page. */
  targetId = '';

  constructor(session: Session, preferences: WebPreferences) {
    super();
    this.session = session;
    this.#preferences = preferences;
    const { contextIsolation, sandbox, nodeIntegration } = preferences;
    if (contextIsolation === false || sandbox === false || nodeIntegration === true)
      throw new Error('the stand-in knows isolated, sandboxed pages without Node only');
  }

  getURL(): string {
    return this.session.reported(this.page?.url() ?? '');
  }

  isDestroyed(): boolean {
    return this.page?.isClosed() ?? false;
  }

  openDevTools(): void {
    record('webContents.openDevTools');
  }

  async getPrintersAsync(): Promise<Electron.PrinterInfo[]> {
    return recorder.printers;
  }

  print(
    options: Electron.WebContentsPrintOptions = {},
    callback?: (success: boolean, failureReason: string) => void,
  ): void {
    record('webContents.print', options);
    callback?.(true, '');
  }

  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler;
  }

  send(channel: string, ...args: unknown[]): void {
    void this.#deliver(this.#present, { channel, args: structuredClone(args) });
  }

  allowsNavigation(url: string): boolean {
    if (url === this.#loading) return true;
    return this.#allows('will-navigate', url);
  }

  /** As Electron: rejects when the page does not load, after `did-fail-load`. */
  async load(url: string): Promise<void> {
    this.#opened ??= this.#open();
    const page = await this.#opened;
    this.#loading = url;
    try {
      await page.goto(this.session.loaded(url), { timeout: TIMEOUT_MS });
      this.emit('did-finish-load');
    } catch (error) {
      if (page.isClosed()) return;
      const replaced = /interrupted by another|ERR_ABORTED/u.test(String(error));
      const { code, words } = replaced ? ABORTED : FAILED;
      this.emit('did-fail-load', {}, code, words, url, true, 0, 0);
      throw new Error(`${words} (${code}) loading '${url}'`, { cause: error });
    }
  }

  close(): void {
    void this.#opened?.then((page) => page.close()).catch(() => {});
  }

  async #open(): Promise<Page> {
    const page = await this.session.newPage();
    this.page = page;
    const cdp = await page.context().newCDPSession(page);
    this.#cdp = cdp;
    this.targetId = (await cdp.send('Target.getTargetInfo')).targetInfo.targetId;
    const topFrame = (await cdp.send('Page.getFrameTree')).frameTree.frame.id;
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId?: string };
      if (context.name !== PRELOAD_WORLD || frameId !== topFrame) return;
      this.#worlds.set(context.id, context.origin);
      this.#present = context.id;
    });
    cdp.on('Runtime.bindingCalled', (call) => void this.#receive(call));
    await cdp.send('Page.enable');
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name: '__standinSend', executionContextName: PRELOAD_WORLD });
    await this.#addScripts(cdp);
    // At the call itself: the request of a new page may be under way before anybody watches it.
    cdp.on('Page.windowOpen', ({ url }) => this.#askToOpen(this.session.reported(url)));
    page.on('popup', (popup) => void popup.close().catch(() => {}));
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }));
    page.on('console', (message) => this.emit('console-message', { message: message.text() }));
    return page;
  }

  async #addScripts(cdp: CDPSession): Promise<void> {
    const token = randomBytes(16).toString('hex');
    const { preload, additionalArguments = [] } = this.#preferences;
    const text = preload === undefined ? '' : readFileSync(preload, 'utf8');
    const words = [process.execPath, ...additionalArguments];
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript(token) });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      source: isolatedWorldScript(token, text, words),
      worldName: PRELOAD_WORLD,
    });
  }

  async #receive(call: { name: string; payload: string; executionContextId: number }): Promise<void> {
    const origin = this.#worlds.get(call.executionContextId);
    if (call.name !== '__standinSend' || origin === undefined) return;
    const message = decode(call.payload) as Received['message'];
    // An opaque origin is an empty text here and `null` in Electron.
    const frame = { url: this.getURL(), origin: this.session.reported(origin) || 'null', parent: null };
    const answer = await ipcMain.dispatch({ message, sender: this, frame });
    // To the document that called: the next one counts its calls from 1 as well.
    if (answer !== null) await this.#deliver(call.executionContextId, { reply: message.id, ...answer });
  }

  async #deliver(contextId: number, message: object): Promise<void> {
    const expression = `__standinDeliver(${JSON.stringify(encode(message))})`;
    // A page that was left meanwhile does not receive it.
    await this.#cdp?.send('Runtime.evaluate', { contextId, expression }).catch(() => {});
  }

  #askToOpen(url: string): void {
    const details = { url, disposition: 'foreground-tab' } as Electron.HandlerDetails;
    record('window.open', url, this.#openHandler?.(details).action ?? 'allow');
  }

  #allows(event: string, url: string): boolean {
    let allowed = true;
    const preventDefault = () => {
      allowed = false;
    };
    this.emit(event, { preventDefault, url }, url);
    return allowed;
  }
}
