import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Identity } from '../../../adapters/certificates/port.ts';
import {
  boundTo,
  listen,
  portOf,
  SERVER_OPTIONS,
  stopListening,
  TLS_PROTOCOL,
} from '../../../http/listening.ts';
import { errorCode } from '../../../platform/errors.ts';
import type { PrintingParts } from '../parts.ts';
import { createFaxPrinter } from './printer.ts';
import { printerRequests } from './requests.ts';

const CLOSE_MS = 5_000;
const HANDSHAKE_MS = 10_000;

/** Address at which a printer listens. */
export interface PrinterPlace {
  readonly host: string;
  readonly port: number;
  /** Certificate and key for other computers; null for programs on this one. */
  readonly identity: Identity | null;
  /** Name of the setting with the port. */
  readonly portSetting: string;
}

interface PrinterOptions {
  /** Returns the place of the settings, null where it is off, or a sentence that says why it cannot listen. */
  readonly place: () => PrinterPlace | null | string;
  readonly icon: () => Promise<Uint8Array>;
}

interface OpenPrinter {
  readonly server: Server | SecureServer;
  readonly place: PrinterPlace;
  readonly uuid: string;
}

/** Creates a listener of the printer, which follows the settings. It never throws. */
export function createPrinterListener(parts: PrintingParts, options: PrinterOptions): PrinterListener {
  return new PrinterListener(parts, options);
}

class PrinterListener {
  readonly #parts: PrintingParts;
  readonly #options: PrinterOptions;
  #open: OpenPrinter | null = null;
  #isStarted = false;
  #problem: string | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #closing: Promise<void>[] = [];

  constructor(parts: PrintingParts, options: PrinterOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Listens when the settings say so. */
  async start(): Promise<void> {
    this.#isStarted = true;
    await this.update();
  }

  /** Follows the settings and the certificate. */
  async update(): Promise<void> {
    this.#work = this.#work.then(() => this.#update());
    await this.#work;
  }

  /** Waits until every change so far is applied. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Finishes answers under way, within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    await this.#work;
    this.#isStarted = false;
    this.#close(graceMs);
    await Promise.all(this.#closing);
  }

  /** Port that it listens on; null while it does not. */
  get port(): number | null {
    return this.#open && portOf(this.#open.server);
  }

  /** Address and port of the system that it listens on; null while it does not. */
  get bound(): { address: string; port: number } | null {
    return this.#open && boundTo(this.#open.server);
  }

  /** UUID by which computers recognize the printer; null while it does not listen. */
  get uuid(): string | null {
    return this.#open?.uuid ?? null;
  }

  /** Sentence that says why it does not listen as set; null when it does. */
  get problem(): string | null {
    return this.#problem;
  }

  async #update(): Promise<void> {
    if (!this.#isStarted) return;
    const place = this.#options.place();
    if (place === null || typeof place === 'string') {
      this.#close(CLOSE_MS);
      this.#problem = place;
      return;
    }
    const open = this.#open;
    if (open && open.place.host === place.host && open.place.port === place.port) {
      this.#renew(open, place);
      return;
    }
    try {
      await this.#listen(place);
      this.#problem = null;
      this.#parts.logger.info({ host: place.host, port: this.port }, 'the fax printer listens');
    } catch (error) {
      this.#close(CLOSE_MS);
      this.#problem = problemOf(error, place);
      this.#parts.logger.error({ error }, this.#problem);
    }
  }

  /** Shows a certificate that is a new one. */
  #renew({ server, place: before, uuid }: OpenPrinter, place: PrinterPlace): void {
    const { identity } = place;
    if (identity === null || identity.certificate === before.identity?.certificate) return;
    if ('setSecureContext' in server)
      server.setSecureContext({ cert: identity.certificate, key: identity.key, ...TLS_PROTOCOL });
    this.#open = { server, place, uuid };
  }

  async #listen(place: PrinterPlace): Promise<void> {
    const { host, port, identity } = place;
    const printer = await createFaxPrinter(this.#parts);
    const { icon } = this.#options;
    const requests = printerRequests(printer, { icon, isNetwork: identity !== null });
    const server =
      identity === null
        ? createServer(SERVER_OPTIONS, requests)
        : createSecureServer(
            {
              cert: identity.certificate,
              key: identity.key,
              ...TLS_PROTOCOL,
              ...SERVER_OPTIONS,
              handshakeTimeout: HANDSHAKE_MS,
            },
            requests,
          );
    await listen(server, { host, port, connections: this.#parts.connections });
    this.#close(CLOSE_MS);
    this.#open = { server, place, uuid: printer.uuid };
  }

  #close(graceMs: number): void {
    if (this.#open) this.#closing.push(stopListening(this.#open.server, graceMs));
    this.#open = null;
  }
}

function problemOf(error: unknown, { host, port, identity, portSetting }: PrinterPlace): string {
  const what =
    identity === null ? 'Programs cannot print to Faxdesk.' : 'Other computers cannot print to Faxdesk.';
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `${what} Another program uses port ${port}. Set another ${portSetting}.`;
    case 'EACCES':
      return `${what} The system does not let Faxdesk use port ${port}. Set ${portSetting} to 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${what} ${host}, set as PRINT_NETWORK_HOST, is not an address of this computer.`;
    default:
      return `${what} The log has the details.`;
  }
}
