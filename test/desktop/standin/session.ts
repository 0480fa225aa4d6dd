import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type * as Electron from 'electron';
import type { BrowserContext, Page, Request, Route } from 'playwright';
import { app } from './app.ts';
import { record } from './recorder.ts';
import { settings } from './settings.ts';

type Handler = (request: Request_) => Response | Promise<Response>;
type Request_ = globalThis.Request;
type PermissionHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type PermissionCheck = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type VerifyProc = Parameters<Electron.Session['setCertificateVerifyProc']>[0];
type BeforeRequest = (
  details: Electron.OnBeforeRequestListenerDetails,
  answer: (response: Electron.CallbackResponse) => void,
) => void;

/** A page of ours, as a session sees it. */
export interface OwnedPage {
  readonly page: Page | null;
  /** Returns true when the window allows navigation to the address. */
  allowsNavigation(url: string): boolean;
}

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];

const sessions = new Map<string, Session>();
/** Filled by the windows. */
export const owners: { all: () => readonly OwnedPage[] } = { all: () => [] };

type Covered =
  | 'fetch'
  | 'setCertificateVerifyProc'
  | 'setDevicePermissionHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler';

/** Cookies, caches and rules of pages: a Chromium of its own, started with its first window. */
export class Session extends EventEmitter implements Pick<Electron.Session, Covered> {
  readonly partition: string;
  readonly #schemes = new Map<string, Handler>();
  #opened: Promise<BrowserContext> | null = null;
  #request: { listener: BeforeRequest; urls: readonly string[] } | null = null;
  #verify: VerifyProc = null;
  readonly #verified = new Map<string, boolean>();
  /** For tests: what the application answers to a permission. */
  permissionRequest: PermissionHandler = null;
  permissionCheck: PermissionCheck = null;

  constructor(partition: string) {
    super();
    this.partition = partition;
  }

  readonly protocol: Pick<Electron.Protocol, 'handle' | 'isProtocolHandled'> = {
    handle: (scheme, handler) => {
      if (this.#schemes.has(scheme)) throw new Error(`the scheme ${scheme} is handled already`);
      this.#schemes.set(scheme, handler);
    },
    isProtocolHandled: (scheme) => this.#schemes.has(scheme),
  };

  readonly webRequest = {
    onBeforeRequest: (filter: Electron.WebRequestFilter, listener: BeforeRequest) => {
      this.#request = { listener, urls: filter.urls ?? ['<all_urls>'] };
    },
  };

  setPermissionRequestHandler(handler: PermissionHandler): void {
    this.permissionRequest = handler;
  }

  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.permissionCheck = handler;
  }

  setDevicePermissionHandler(handler: Parameters<Electron.Session['setDevicePermissionHandler']>[0]): void {
    record('session.setDevicePermissionHandler', handler !== null);
  }

  setCertificateVerifyProc(proc: VerifyProc): void {
    this.#verify = proc;
    this.#verified.clear();
  }

  /** With the cookies of the session; those of the answer stay in it. */
  async fetch(input: string | Request_, init: RequestInit = {}): Promise<Response> {
    const context = await this.context();
    const answer = await context.request.fetch(typeof input === 'string' ? input : input.url, {
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      ...(init.body === undefined ? {} : { data: init.body as string }),
      maxRedirects: init.redirect === 'error' ? 0 : 5,
    });
    return new Response(await answer.body(), { status: answer.status(), headers: answer.headers() });
  }

  async newPage(): Promise<Page> {
    return (await this.context()).newPage();
  }

  context(): Promise<BrowserContext> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Returns the address at which a test connects to this Chromium. */
  async endpoint(): Promise<string> {
    await this.context();
    const [port] = readFileSync(join(this.#folder, 'DevToolsActivePort'), 'utf8').split('\n');
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }

  /** Converts an address to the form that the application uses. */
  reported(url: string): string {
    const { scheme, host, rest } =
      /^http:\/\/(?<host>[^/]+)\.(?<scheme>[a-z]+)\.localhost(?<rest>\/.*)?$/u.exec(url)?.groups ?? {
        scheme: '',
      };
    return scheme && this.#schemes.has(scheme) ? `${scheme}://${host}${rest ?? ''}` : url;
  }

  /** An address as Chromium loads it: schemes of the application become hosts that are answered here. */
  loaded(url: string): string {
    const parts = /^(?<scheme>[a-z]+):\/\/(?<host>[^/]*)(?<rest>.*)$/u.exec(url)?.groups;
    if (!parts || !this.#schemes.has(parts['scheme'] ?? '')) return url;
    return `http://${parts['host']}.${parts['scheme']}.localhost${parts['rest'] || '/'}`;
  }

  get #folder(): string {
    return join(app.getPath('userData'), `chromium-${this.partition.replaceAll(/[^\w-]/gu, '-')}`);
  }

  async #open(): Promise<BrowserContext> {
    // Loaded here, because a second instance that ends at once has no page.
    const { chromium } = await import('playwright');
    const context = await chromium.launchPersistentContext(this.#folder, {
      executablePath: settings.chromium,
      headless: settings.headless,
      viewport: null,
      ignoreHTTPSErrors: this.#verify !== null,
      args: [...QUIET, '--remote-debugging-port=0'],
    });
    await context.route('**/*', (route) => this.#decide(route));
    return context;
  }

  async #decide(route: Route): Promise<void> {
    const request = route.request();
    const url = this.reported(request.url());
    const handler = this.#schemes.get(url.slice(0, url.indexOf(':')));
    const owner = ownerOf(request);
    // A page that no window of ours made, such as one that a page opens, never loads.
    if (owner === null) return route.abort('aborted').catch(() => {});
    const isTop = request.isNavigationRequest() && isTopFrame(request);
    if (isTop && !owner.allowsNavigation(url)) return route.abort('aborted');
    if (handler !== undefined) return answer(route, url, handler);
    if (!(await this.#admits(url))) return route.abort('blockedbyclient');
    if (url.startsWith('https:') && !(await this.#trusts(url, isTop))) return route.abort('failed');
    await route.continue();
  }

  #admits(url: string): Promise<boolean> {
    const rule = this.#request;
    if (rule === null || !rule.urls.some((pattern) => matchesPattern(pattern, url)))
      return Promise.resolve(true);
    return new Promise((resolve) => {
      const details = { url } as Electron.OnBeforeRequestListenerDetails;
      rule.listener(details, ({ cancel }) => resolve(cancel !== true));
    });
  }

  /** Asks the application about the certificate; the answer holds until the next page is loaded, as in Chromium. */
  async #trusts(url: string, again: boolean): Promise<boolean> {
    const verify = this.#verify;
    if (verify === null) return true;
    const { host, hostname, port } = new URL(url);
    const known = this.#verified.get(host);
    if (known !== undefined && !again) return known;
    const shown = await certificateOf(hostname, Number(port || 443)).catch(() => null);
    if (shown === null) return true;
    const { isTrusted, ...certificate } = shown;
    const request = {
      hostname,
      certificate,
      verificationResult: isTrusted ? 'net::OK' : 'ERR',
    } as Electron.Request;
    const trusted = await new Promise<boolean>((resolve) =>
      // -3 leaves the decision to Chromium.
      verify(request, (result) => resolve(result === 0 || (result === -3 && isTrusted))),
    );
    this.#verified.set(host, trusted);
    return trusted;
  }
}

function ownerOf(request: Request): OwnedPage | null {
  try {
    const page = request.frame().page();
    return owners.all().find((owner) => owner.page === page) ?? null;
  } catch {
    // A page that is just being made has no frame yet.
    return null;
  }
}

function isTopFrame(request: Request): boolean {
  return request.frame().parentFrame() === null;
}

async function answer(route: Route, url: string, handler: Handler): Promise<void> {
  const request = route.request();
  const response = await handler(new globalThis.Request(url, { headers: request.headers() }));
  const body = Buffer.from(await response.arrayBuffer());
  await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
}

/** `http://*\/*` and the like. */
function matchesPattern(pattern: string, url: string): boolean {
  if (pattern === '<all_urls>') return true;
  const text = pattern.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`).replaceAll('*', '.*');
  return new RegExp(`^${text}$`, 'u').test(url);
}

/** With the one that signed it, when the server shows that as well. */
function certificateOf(
  host: string,
  port: number,
): Promise<Pick<Electron.Certificate, 'data' | 'issuerCert'> & { readonly isTrusted: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      const shown = socket.getPeerX509Certificate();
      const issuer = shown?.issuerCertificate;
      const isTrusted = socket.authorized;
      socket.destroy();
      if (shown === undefined) reject(new Error('no certificate'));
      else
        resolve({
          isTrusted,
          data: shown.toString(),
          issuerCert: (issuer && { data: issuer.toString() }) as Electron.Certificate,
        });
    });
    socket.on('error', reject);
  });
}

export const session = {
  fromPartition: (...[partition]: Parameters<typeof Electron.session.fromPartition>): Session => {
    const found = sessions.get(partition) ?? new Session(partition);
    sessions.set(partition, found);
    return found;
  },
  get defaultSession(): Session {
    return session.fromPartition('default');
  },
};

export async function closeSessions(): Promise<void> {
  await Promise.all([...sessions.values()].map((each) => each.close().catch(() => {})));
}

let privileged = false;
export const protocol: Pick<Electron.Protocol, 'registerSchemesAsPrivileged'> = {
  registerSchemesAsPrivileged: (schemes) => {
    if (app.isReady() || privileged) throw new Error('schemes are registered once, before ready');
    privileged = true;
    record('protocol.registerSchemesAsPrivileged', ...schemes.map(({ scheme }) => scheme));
  },
};
