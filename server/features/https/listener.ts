import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { CertificateFacts, Certificates, Identity } from '../../adapters/certificates/port.ts';
import {
  boundTo,
  type Connections,
  listen,
  portOf,
  SERVER_OPTIONS,
  stopListening,
  TLS_PROTOCOL,
} from '../../http/listening.ts';
import type { Logger } from '../../platform/logger.ts';
import { addressesToOpen, certificateNames, originAt } from './names.ts';
import { problemOf } from './problem.ts';
import { type HttpsSettings, sourceOf } from './settings.ts';

interface ListenerParts {
  readonly settings: () => HttpsSettings;
  readonly certificates: Certificates;
  readonly logger: Logger;
  readonly connections: Connections;
}

/** Certificates presented to clients. */
interface ServedIdentity {
  readonly server: Identity;
  /** Null when the certificate comes from files. */
  readonly root: Identity | null;
}

interface OpenListener {
  readonly server: Server;
  readonly host: string;
  /** Requested port; 0 for any. */
  readonly port: number;
}

const HANDSHAKE_MS = 10_000;
/** Creates the HTTPS server from the settings, the certificates and the names of the computer. It never throws. */
export function createHttpsListener(parts: ListenerParts): HttpsListener {
  return new HttpsListener(parts);
}

export type { HttpsListener };

class HttpsListener {
  readonly #parts: ListenerParts;
  #requests: RequestListener | null = null;
  #open: OpenListener | null = null;
  #shown: ServedIdentity | null = null;
  /** Cached, because many requests need it. */
  #origins: readonly string[] = [];
  #problem: string | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #closing: Promise<void>[] = [];

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** Listens when the settings enable it. */
  async start(requests: RequestListener): Promise<void> {
    this.#requests = requests;
    await this.update();
  }

  /** Brings what is served in line with the settings, the files and the clock. */
  async update(): Promise<void> {
    this.#work = this.#work.then(() => this.#update());
    await this.#work;
  }

  /** Waits until every change so far is applied. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Finishes responses under way, within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    await this.#work;
    this.#requests = null;
    this.#close(graceMs);
    await Promise.all(this.#closing);
  }

  /** The origins of its own pages. */
  get origins(): readonly string[] {
    return this.#origins;
  }

  /** Returns the addresses for people on other computers, best first; empty while the listener is closed. */
  addresses(): string[] {
    const port = this.#port;
    if (port === null || !this.#shown) return [];
    const { server, root } = this.#shown;
    return addressesToOpen(this.#parts.settings(), port, root ? null : this.#factsOf(server).names);
  }

  /** Sentences that say what does not work as configured, and why; null when everything works. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Host and port it listens on now; null while it is closed. */
  get listening(): { host: string; port: number } | null {
    const port = this.#port;
    return this.#open && port !== null ? { host: this.#open.host, port } : null;
  }

  /** Address and port of the system that it listens on now; null while it is closed. */
  get bound(): { address: string; port: number } | null {
    return this.#open && boundTo(this.#open.server);
  }

  /** The certificate that is shown, null while it is closed, and the root when that is our own. */
  get shown(): { server: CertificateFacts | null; root: CertificateFacts | null } {
    const { server, root } = this.#shown ?? { server: null, root: null };
    const isShown = server !== null && this.#open !== null;
    return { server: isShown ? this.#factsOf(server) : null, root: root && this.#factsOf(root) };
  }

  /** Certificate and key for other listeners of the gateway; null while it is closed. */
  get identity(): Identity | null {
    return this.#open ? (this.#shown?.server ?? null) : null;
  }

  /** The root certificate (PEM) that other computers install; null when there is none of its own. */
  get rootCertificate(): string | null {
    return this.#shown?.root?.certificate ?? null;
  }

  async #update(): Promise<void> {
    if (!this.#requests) return;
    const settings = this.#parts.settings();
    try {
      await this.#apply(this.#requests, settings);
      this.#problem = null;
    } catch (error) {
      const problem = problemOf(error, settings, this.#port);
      if (problem !== this.#problem) this.#parts.logger.error({ error }, problem);
      this.#problem = problem;
    }
    this.#origins = this.#originsOf(settings);
  }

  #originsOf(settings: HttpsSettings): string[] {
    const port = this.#port;
    if (port === null || !this.#shown) return [];
    const names = [...certificateNames(settings), ...this.#factsOf(this.#shown.server).names];
    return [...new Set(names)].map((name) => originAt(name, port));
  }

  async #apply(requests: RequestListener, settings: HttpsSettings): Promise<void> {
    if (!settings.enabled) {
      this.#close(HANDSHAKE_MS);
      this.#shown = null;
      return;
    }
    const shown = await this.#certificateFor(settings);
    const isNew = shown.server.certificate !== this.#shown?.server.certificate;
    const { certificate: cert, key } = shown.server;
    if (isNew) this.#open?.server.setSecureContext({ cert, key, ...TLS_PROTOCOL });
    this.#shown = shown;
    const known = this.#open;
    if (known?.host !== settings.host || known.port !== settings.port)
      await this.#listen(requests, settings, shown);
    else if (isNew) this.#log('the certificate for other computers is a new one');
  }

  /** A listener on another port takes over; when it cannot, the old one goes on. */
  async #listen(
    requests: RequestListener,
    { host, port }: HttpsSettings,
    { server: identity }: ServedIdentity,
  ): Promise<void> {
    if (this.#open?.port === port) this.#close(HANDSHAKE_MS);
    const { certificate: cert, key } = identity;
    const options = { cert, key, ...TLS_PROTOCOL, ...SERVER_OPTIONS, handshakeTimeout: HANDSHAKE_MS };
    const server = createServer(options, requests);
    await listen(server, { host, port, connections: this.#parts.connections });
    this.#close(HANDSHAKE_MS);
    this.#open = { server, host, port };
    this.#log('other computers can reach the gateway');
  }

  #close(graceMs: number): void {
    if (this.#open) this.#closing.push(stopListening(this.#open.server, graceMs));
    this.#open = null;
  }

  async #certificateFor(settings: HttpsSettings): Promise<ServedIdentity> {
    const { certificates } = this.#parts;
    if (sourceOf(settings) === 'files')
      return { server: await certificates.readSupplied(settings), root: null };
    return await certificates.own(certificateNames(settings));
  }

  #log(message: string): void {
    const fingerprint = this.shown.server?.fingerprint ?? null;
    this.#parts.logger.info({ addresses: this.addresses(), fingerprint }, message);
  }

  #factsOf({ certificate }: Identity): CertificateFacts {
    return this.#parts.certificates.factsOf(certificate);
  }

  get #port(): number | null {
    return this.#open && portOf(this.#open.server);
  }
}
