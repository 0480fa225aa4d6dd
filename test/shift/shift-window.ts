import type { Browser, BrowserContext, CDPSession, Page } from 'playwright';
import { t } from '../../renderer/texts/work.ts';
import { type Complaints, watchComplaints } from '../browser/complaints.ts';
import { readPageText } from '../browser/page-text.ts';
import { type CutOffProxy, startCutOffProxy } from '../setup/cut-off-proxy.ts';
import { foreignTo } from './mailboxes.ts';
import type { Person } from './office.ts';

/** Row of the list on the screen. */
export interface ShownRow {
  /** Place in the whole list, from 0. */
  readonly index: number;
  readonly text: string;
}

/** State of a window at a moment. */
export interface Shown {
  /** The same for as long as the page is not loaded again. */
  readonly mark: string;
  readonly path: string;
  readonly search: string;
  /** Rows in sight. */
  readonly rows: readonly ShownRow[];
  /** Texts of the tabs of the work queue with their counts. */
  readonly tabs: readonly string[];
  /** Texts of the links to the screens. */
  readonly rail: readonly string[];
  /** Texts that the person must not see, since the last look. */
  readonly foreign: readonly string[];
}

interface WindowMemory {
  readonly heapMb: number;
  readonly nodes: number;
}

/** Bytes of a connection that are scanned together with those that follow. */
const TAIL = 64;
const DISTURBED_MS = 30_000;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gu;

/** Window of a browser profile with its own way to the gateway, at which one person after another may work. */
export class ShiftWindow {
  readonly name: string;
  readonly page: Page;
  readonly complaints: Complaints;
  /** Sentences about what it showed or got that its person must not see. */
  readonly leaks: string[] = [];
  /** Ids in whatever came to the window, by the person who was signed in. */
  readonly ids = new Map<string, Set<string>>();
  /** Null while nobody is signed in. */
  person: Person | null = null;
  isConnected = true;
  /** Time at which the network came back the last time, by `performance.now()`. */
  #connectedAt = Number.NEGATIVE_INFINITY;
  /** Time of the last change of person, screen or connection, by `performance.now()`. */
  changedAt = performance.now();
  readonly #context: BrowserContext;
  readonly #proxy: CutOffProxy;
  #session: CDPSession | null = null;
  /** Of the last person who signed in: what comes late is still theirs. */
  #bytes: { foreign: RegExp | null; login: string } = { foreign: null, login: '' };

  private constructor(name: string, parts: { context: BrowserContext; page: Page; proxy: CutOffProxy }) {
    this.name = name;
    this.page = parts.page;
    this.#context = parts.context;
    this.#proxy = parts.proxy;
    this.complaints = watchComplaints(parts.context);
    // Two people may change the same item at the same time.
    this.complaints.allow('409 POST /work/');
  }

  static async open(browser: Browser, gatewayUrl: string, name: string): Promise<ShiftWindow> {
    const { hostname, port } = new URL(gatewayUrl);
    let scan = (_text: string): void => undefined;
    const proxy = await startCutOffProxy({ host: hostname, port: Number(port) }, () => {
      let tail = '';
      return {
        toTarget: () => undefined,
        toClient: (bytes) => {
          const text = tail + bytes.toString('latin1');
          tail = text.slice(-TAIL);
          scan(text);
        },
      };
    });
    const baseURL = `http://127.0.0.1:${proxy.port}`;
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ baseURL, viewport, locale: 'en-US', timezoneId: 'UTC' });
    context.setDefaultTimeout(20_000);
    await context.addInitScript(WATCH);
    const window = new ShiftWindow(name, { context, page: await context.newPage(), proxy });
    scan = (text) => window.#scan(text);
    return window;
  }

  /** Origin of its pages. */
  get origin(): string {
    return `http://127.0.0.1:${this.#proxy.port}`;
  }

  async begin(): Promise<void> {
    await this.page.goto('/admin/ui/');
  }

  #scan(text: string): void {
    const { foreign, login } = this.#bytes;
    for (const [id] of text.matchAll(UUID)) {
      const logins = this.ids.get(id) ?? new Set();
      this.ids.set(id, logins.add(login));
    }
    const found = foreign?.exec(text);
    if (found)
      this.leaks.push(
        `${this.name} got for ${login}: ${text.slice(Math.max(0, found.index - 80)).slice(0, 200)}`,
      );
  }

  async signIn(person: Person): Promise<void> {
    const { page } = this;
    await page.getByLabel(SIGN_IN.name).fill(person.login);
    await page.getByLabel(SIGN_IN.password, { exact: true }).fill(person.password);
    const foreign = foreignTo(person.reads);
    await this.#watch(foreign);
    this.#bytes = { foreign, login: person.login };
    await page.keyboard.press('Enter');
    try {
      await this.#account(person).waitFor();
    } catch (error) {
      throw new Error(`${person.login} is not signed in: ${await readPageText(page)}`, { cause: error });
    }
    this.person = person;
    this.changed();
  }

  /** Ends the session of the person, as one does who hands over the window. Afterwards nothing may be shown. */
  async switchPerson(): Promise<void> {
    const { page, person } = this;
    if (!person) throw new Error('nobody is signed in');
    this.person = null;
    await this.#account(person).click();
    await page.getByRole('menuitem', { name: t.shell.switchPerson }).click();
    await page.getByRole('heading', { level: 1, name: SIGN_IN.title }).waitFor();
    await this.#watch(foreignTo([]));
    this.changed();
  }

  #account(person: Person) {
    return this.page.getByRole('button', { name: `${person.name}: account` });
  }

  changed(): void {
    this.changedAt = performance.now();
  }

  /** The network between window and gateway goes away: connections break, or nothing comes through. */
  async loseNetwork(how: 'cut' | 'freeze'): Promise<void> {
    this.isConnected = false;
    // Requests fail until it is back, and the page goes on asking.
    this.complaints.allow('net::ERR_', '408 ');
    if (how === 'cut') await this.#proxy.cut();
    else this.#proxy.freeze();
  }

  async findNetwork(): Promise<void> {
    await this.#proxy.open();
    this.isConnected = true;
    this.#connectedAt = performance.now();
    this.changed();
  }

  /** True for a while after a loss of the network as well: what was begun meanwhile may come to nothing. */
  get isDisturbed(): boolean {
    return !this.isConnected || performance.now() - this.#connectedAt < DISTURBED_MS;
  }

  async #watch(foreign: RegExp | null): Promise<void> {
    await this.page.evaluate(`shiftWatch.setForeign(${JSON.stringify(foreign?.source ?? null)})`);
  }

  async look(): Promise<Shown> {
    return (await this.page.evaluate(LOOK)) as Shown;
  }

  /** After a collection of garbage. */
  async memory(): Promise<WindowMemory> {
    this.#session ??= await this.#context.newCDPSession(this.page);
    await this.#session.send('Performance.enable');
    await this.#session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { heapMb: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes') };
  }

  async close(): Promise<void> {
    await this.#context.close();
    await this.#proxy.close();
  }
}

const SIGN_IN = { name: 'Sign-in name', password: 'Password', title: 'Sign in' };

/** In the page: watches every text that appears. */
const WATCH = `{
  const found = [];
  let foreign = null;
  const look = (text) => {
    if (foreign !== null && text && foreign.test(text)) found.push(text.slice(0, 200));
  };
  window.shiftMark = String(Math.random());
  window.shiftWatch = {
    setForeign(source) { foreign = source === null ? null : new RegExp(source, 'u'); },
    take() {
      look(document.documentElement.outerHTML.match(foreign ?? /$^/u)?.[0]);
      look(JSON.stringify(localStorage) + JSON.stringify(sessionStorage));
      look(document.title);
      return found.splice(0);
    },
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') look(target.data);
      else for (const node of addedNodes) look(node.textContent);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}`;

/** In the page: what is on the screen. */
const LOOK = `({
  mark: window.shiftMark,
  path: location.pathname,
  search: location.search,
  rows: [...document.querySelectorAll('[role="grid"] [role="row"][data-index]')].map((row) => ({
    index: Number(row.dataset.index),
    text: row.textContent,
  })).toSorted((a, b) => a.index - b.index),
  tabs: [...document.querySelectorAll('[role="group"][aria-label="${t.work.view}"] button')].map((tab) => tab.textContent),
  rail: [...document.querySelectorAll('nav[aria-label="${t.shell.screens}"] a')].map((link) => link.textContent),
  foreign: window.shiftWatch.take(),
})`;
