import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { z } from 'zod';
import type { HttpsState } from '../shared/api/https.ts';
import { readGivenFiles } from './adapters/certificates/given-files.ts';
import { CertificateError, factsOf, type Identity } from './adapters/certificates/identity.ts';
import { OwnAuthority } from './adapters/certificates/own-authority.ts';
import type { Settings } from './features/settings/service.ts';
import { listen, portOf, stopListening } from './http/listening.ts';
import { addressesToOpen, certificateNames, originAt } from './https-names.ts';
import { type Clock, isoTime } from './platform/clock.ts';
import { errorCode } from './platform/errors.ts';
import { randomToken } from './platform/ids.ts';
import type { Logger } from './platform/logger.ts';
import type { Seal } from './platform/seal.ts';

export interface HttpsParts {
  readonly settings: Settings;
  readonly dataFolder: string;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What the settings ask for. */
interface Wanted {
  readonly enabled: boolean;
  readonly host: string;
  readonly port: number;
  readonly names: readonly string[];
  readonly certificateFile: string | null;
  readonly keyFile: string | null;
}

/** What is shown to whoever comes. */
interface Shown {
  readonly server: Identity;
  /** Null when the certificate comes from files. */
  readonly root: Identity | null;
}

interface Listener {
  readonly server: Server;
  readonly host: string;
  /** As it was asked for; 0 for any. */
  readonly port: number;
}

const LOOK_EVERY_MS = 60_000;
const HANDSHAKE_MS = 10_000;

/** The second way in, for other computers: the same requests over HTTPS. It never keeps the gateway from working. */
export class HttpsDoor {
  readonly #parts: HttpsParts;
  readonly #authority: OwnAuthority;
  #app: RequestListener | null = null;
  #listener: Listener | null = null;
  #shown: Shown | null = null;
  /** Kept, because many requests ask. */
  #origins: readonly string[] = [];
  #problem: string | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #closing: Promise<void>[] = [];
  #ends: (() => void)[] = [];

  constructor(parts: HttpsParts) {
    const { settings } = parts;
    this.#parts = parts;
    const newName = () => `Faxdesk ${shorten(settings.get('FAX_ORGANIZATION') ?? '')}${randomId()}`;
    this.#authority = new OwnAuthority({ ...parts, newName });
  }

  /** Opens it when the settings say so, and follows them, the certificates and the names of the computer from now on. */
  async start(app: RequestListener): Promise<void> {
    this.#app = app;
    const timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    const end = this.#parts.settings.onChange(({ names }) => {
      if ([...names].some((name) => isOfHttps(name))) void this.look();
    });
    this.#ends.push(() => clearInterval(timer), end);
    await this.look();
  }

  /** Brings what is served in line with the settings, the files and the clock. */
  async look(): Promise<void> {
    this.#work = this.#work.then(() => this.#look());
    await this.#work;
  }

  /** Answers under way are finished, at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await this.#work;
    this.#app = null;
    this.#close(graceMs);
    await Promise.all(this.#closing);
  }

  /** The origins of its own pages. */
  origins(): readonly string[] {
    return this.#origins;
  }

  /** What people on other computers open, the best first; empty while it is closed. */
  addresses(): string[] {
    const port = this.#port;
    if (port === null || !this.#shown) return [];
    const { server, root } = this.#shown;
    return addressesToOpen(this.#wanted, port, root ? null : factsOf(server.certificate).names);
  }

  /** Why it does not work as it is set, in one sentence, or null. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The root certificate (PEM) that other computers install; null when there is none of its own. */
  root(): string | null {
    return this.#shown?.root?.certificate ?? null;
  }

  /** How it stands once every change so far is applied. */
  async state(): Promise<z.infer<typeof HttpsState>> {
    await this.#work;
    const server = this.#shown && factsOf(this.#shown.server.certificate);
    const root = this.#shown?.root && factsOf(this.#shown.root.certificate);
    return {
      source: sourceOf(this.#wanted),
      addresses: this.addresses(),
      certificate: server && {
        fingerprint: server.fingerprint,
        names: [...server.names],
        valid_until: isoTime(server.endsMs),
      },
      root: root
        ? { name: root.title, fingerprint: root.fingerprint, valid_until: isoTime(root.endsMs) }
        : null,
      problem: this.#problem,
    };
  }

  async #look(): Promise<void> {
    if (!this.#app) return;
    try {
      await this.#apply(this.#app, this.#wanted);
      this.#problem = null;
    } catch (error) {
      const sentence = sentenceOf(error, this.#wanted);
      if (sentence !== this.#problem) this.#parts.logger.error({ error }, sentence);
      this.#problem = sentence;
    }
    this.#origins = this.#originsNow();
  }

  #originsNow(): string[] {
    const port = this.#port;
    if (port === null || !this.#shown) return [];
    const names = [...certificateNames(this.#wanted), ...factsOf(this.#shown.server.certificate).names];
    return [...new Set(names)].map((name) => originAt(name, port));
  }

  async #apply(app: RequestListener, wanted: Wanted): Promise<void> {
    if (!wanted.enabled) {
      this.#close(HANDSHAKE_MS);
      this.#shown = null;
      return;
    }
    const shown = await this.#identity(wanted);
    const isNew = shown.server.certificate !== this.#shown?.server.certificate;
    const { certificate: cert, key } = shown.server;
    if (isNew) this.#listener?.server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' });
    this.#shown = shown;
    const known = this.#listener;
    if (known?.host !== wanted.host || known.port !== wanted.port) await this.#open(app, wanted, shown);
    else if (isNew) this.#tell('the certificate for other computers is a new one');
  }

  /** A listener on another port takes over; when it cannot, the old one goes on. */
  async #open(app: RequestListener, { host, port }: Wanted, { server: identity }: Shown): Promise<void> {
    if (this.#listener?.port === port) this.#close(HANDSHAKE_MS);
    const { certificate: cert, key } = identity;
    const server = createServer({ cert, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS }, app);
    await listen(server, { host, port });
    this.#close(HANDSHAKE_MS);
    this.#listener = { server, host, port };
    this.#tell('other computers can reach the gateway');
  }

  #close(graceMs: number): void {
    if (this.#listener) this.#closing.push(stopListening(this.#listener.server, graceMs));
    this.#listener = null;
  }

  async #identity(wanted: Wanted): Promise<Shown> {
    if (sourceOf(wanted) === 'files')
      return { server: await readGivenFiles(wanted, this.#parts.clock.now()), root: null };
    return await this.#authority.identity(certificateNames(wanted));
  }

  #tell(message: string): void {
    const fingerprint = this.#shown && factsOf(this.#shown.server.certificate).fingerprint;
    this.#parts.logger.info({ addresses: this.addresses(), fingerprint }, message);
  }

  get #port(): number | null {
    return this.#listener && portOf(this.#listener.server);
  }

  get #wanted(): Wanted {
    const { values } = this.#parts.settings.snapshot();
    return {
      enabled: values.HTTPS_ENABLED,
      host: values.HTTPS_HOST,
      port: values.HTTPS_PORT,
      names: values.HTTPS_NAMES,
      certificateFile: values.HTTPS_CERTIFICATE_FILE,
      keyFile: values.HTTPS_KEY_FILE,
    };
  }
}

const isOfHttps = (name: string) => name.startsWith('HTTPS_');

function sourceOf({ enabled, certificateFile, keyFile }: Wanted): z.infer<typeof HttpsState>['source'] {
  if (!enabled) return 'off';
  return certificateFile === null && keyFile === null ? 'own' : 'files';
}

/** Some room is left for the rest of the name. */
function shorten(organization: string): string {
  const short = [...organization].slice(0, 40).join('').trim();
  return short === '' ? '' : `${short} `;
}

function randomId(): string {
  return randomToken(60).replaceAll(/[-_]/gu, '').slice(0, 6).toUpperCase();
}

function sentenceOf(error: unknown, { host, port }: Wanted): string {
  if (error instanceof CertificateError) return error.message;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Other computers cannot reach Faxdesk: another program uses port ${port}. Set another HTTPS_PORT.`;
    case 'EACCES':
      return `Other computers cannot reach Faxdesk: it may not use port ${port} here. Set HTTPS_PORT to 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Other computers cannot reach Faxdesk: ${host}, set as HTTPS_HOST, is no address of this computer.`;
    default:
      return 'Other computers cannot reach Faxdesk over HTTPS; the log has the details.';
  }
}
