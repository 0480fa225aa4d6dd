import { createServer, type Server } from 'node:http';
import { PRINTER_PATH } from '../../../../shared/printing.ts';
import { listen, portOf, SERVER_OPTIONS, stopListening } from '../../../http/listening.ts';
import { errorCode } from '../../../platform/errors.ts';
import type { PrintingParts } from '../parts.ts';
import { createFaxPrinter } from './printer.ts';
import { printerRequests } from './requests.ts';

/** Only programs on this computer can reach it. */
const HOST = '127.0.0.1';
const CLOSE_MS = 5_000;

/** Creates the listener of the printer, which follows the settings. It never throws. */
export function createPrinterListener(
  parts: PrintingParts,
  icon: () => Promise<Uint8Array>,
): PrinterListener {
  return new PrinterListener(parts, icon);
}

export type { PrinterListener };

class PrinterListener {
  readonly #parts: PrintingParts;
  readonly #icon: () => Promise<Uint8Array>;
  #open: { readonly server: Server; readonly port: number } | null = null;
  #isStarted = false;
  #problem: string | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #closing: Promise<void>[] = [];

  constructor(parts: PrintingParts, icon: () => Promise<Uint8Array>) {
    this.#parts = parts;
    this.#icon = icon;
  }

  /** Listens when the settings say so. */
  async start(): Promise<void> {
    this.#isStarted = true;
    await this.update();
  }

  /** Follows the settings. */
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

  /** Address with which this computer adds the printer; null while it does not listen. */
  get uri(): string | null {
    const port = this.#open && portOf(this.#open.server);
    return port === null ? null : `ipp://${HOST}:${port}${PRINTER_PATH}`;
  }

  /** Sentence that says why it does not listen as set; null when it does. */
  get problem(): string | null {
    return this.#problem;
  }

  async #update(): Promise<void> {
    if (!this.#isStarted) return;
    const { settings, logger } = this.#parts;
    const port = settings.mode() === 'off' ? null : settings.port();
    if (port === this.#open?.port) return;
    if (port === null) {
      this.#close(CLOSE_MS);
      this.#problem = null;
      return;
    }
    try {
      await this.#listen(port);
      this.#problem = null;
      logger.info({ address: this.uri }, 'programs on this computer can print');
    } catch (error) {
      this.#close(CLOSE_MS);
      this.#problem = problemOf(error, port);
      logger.error({ error }, this.#problem);
    }
  }

  async #listen(port: number): Promise<void> {
    const printer = await createFaxPrinter(this.#parts);
    const server = createServer(SERVER_OPTIONS, printerRequests(printer, this.#icon));
    await listen(server, { host: HOST, port, connections: this.#parts.connections });
    this.#close(CLOSE_MS);
    this.#open = { server, port };
  }

  #close(graceMs: number): void {
    if (this.#open) this.#closing.push(stopListening(this.#open.server, graceMs));
    this.#open = null;
  }
}

function problemOf(error: unknown, port: number): string {
  const what = 'Programs cannot print to Faxdesk.';
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `${what} Another program uses port ${port}. Set another PRINT_PORT.`;
    case 'EACCES':
      return `${what} The system does not let Faxdesk use port ${port}. Set PRINT_PORT to 1024 or more.`;
    default:
      return `${what} The log has the details.`;
  }
}
