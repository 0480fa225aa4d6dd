import type { APIRequestContext, Browser, BrowserContext, Page } from 'playwright';

/** Properties that a window has from its creation on. */
export interface WindowKind {
  readonly baseURL: string;
  readonly colorScheme: 'light' | 'dark';
}

/** Size of the visible part of a page, in px. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

interface EmptyWindow {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Events for which tests add listeners. */
const EVENTS = ['request', 'dialog'] as const;

/**
 * The windows of one browser, one or several for each kind. One that a test left is emptied and taken for the next:
 * a new one would load and compile the whole console again, which costs more than most tests do in it.
 */
export class WindowPool {
  readonly #browser: Browser;
  readonly #free = new Map<string, EmptyWindow[]>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A window without cookies, stored data, permissions, routes and history, and with the media of its kind. */
  async take(kind: WindowKind): Promise<EmptyWindow> {
    return this.#free.get(nameOf(kind))?.pop() ?? this.open(kind);
  }

  /** A window that nobody used before, and nobody may keep. */
  async open(kind: WindowKind): Promise<EmptyWindow> {
    const context = await this.#browser.newContext({ ...kind, locale: 'en-GB', timezoneId: 'UTC' });
    context.setDefaultTimeout(40_000);
    keepNoConnections(context.request);
    return { context, page: await context.newPage() };
  }

  /** Empties the window and keeps it; closes it where that is not possible. */
  async keep(kind: WindowKind, window: EmptyWindow): Promise<void> {
    try {
      await empty(window, kind);
    } catch {
      return window.context.close();
    }
    const free = this.#free.get(nameOf(kind)) ?? [];
    this.#free.set(nameOf(kind), [...free, window]);
  }
}

/** A kept connection may be closed by the gateway at the moment when it is used again. */
function keepNoConnections(requests: APIRequestContext): void {
  const send = requests.fetch.bind(requests);
  requests.fetch = (address, options) =>
    send(address, { ...options, headers: { ...options?.headers, Connection: 'close' } });
}

const nameOf = (kind: WindowKind): string => JSON.stringify(kind);

async function empty({ page, context }: EmptyWindow, kind: WindowKind): Promise<void> {
  const { baseURL: origin, colorScheme } = kind;
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of EVENTS) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  // A page of the same origin without a script: what was stored is still within reach, and nobody writes any more.
  await page.goto(`${origin}/health`);
  // A page that was seen as on paper would print its screen, and one without a color scheme is no dark window.
  await page.emulateMedia({
    media: null,
    colorScheme,
    reducedMotion: null,
    forcedColors: null,
    contrast: null,
  });
  await context.clearPermissions();
  await context.clearCookies();
  await page.evaluate('sessionStorage.clear()');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' });
  await session.send('Page.resetNavigationHistory');
  await session.detach();
}
