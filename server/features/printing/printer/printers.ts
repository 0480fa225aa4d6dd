import { PRINTER_PATH } from '../../../../shared/printing.ts';
import type { PrintingParts } from '../parts.ts';
import { announcedPrinter } from './announced-printer.ts';
import { createPrinterListener, type PrinterPlace } from './listener.ts';

/** Only programs on this computer can reach it. */
const LOCAL_HOST = '127.0.0.1';
/** Certificates are renewed without any event. */
const UPDATE_EVERY_MS = 60_000;
const NO_HTTPS =
  'Other computers cannot print to Faxdesk: printing over the network needs the certificate of HTTPS. Turn on HTTPS_ENABLED.';

/** The printer for programs on this computer, and the one for other computers. */
export interface Printers {
  start(): Promise<void>;
  /** Follows the settings and the certificate. */
  update(): Promise<void>;
  stop(graceMs: number): Promise<void>;
  /** Returns the addresses of both, null while one does not listen, and why, after every change so far is applied. */
  state(): Promise<{ uri: string | null; networkUri: string | null; problem: string | null }>;
  /** Sentences that say why one does not listen as set. */
  problems(): string[];
}

export function createPrinters(parts: PrintingParts, icon: () => Promise<Uint8Array>): Printers {
  const { settings, https } = parts;
  const local = createPrinterListener(parts, { icon, place: () => localPlace(parts) });
  const network = createPrinterListener(parts, { icon, place: () => networkPlace(parts) });
  const both = [local, network];
  const problems = () => both.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  let timer: NodeJS.Timeout | undefined;
  const announce = () => {
    const { bound, uuid } = network;
    https.announcePrinter(bound && uuid !== null ? announcedPrinter(parts, { ...bound, uuid }) : null);
  };
  const update = async () => {
    await https.settled();
    for (const listener of both) await listener.update();
    announce();
  };
  const networkUri = () => {
    const [address] = https.addresses();
    if (network.port === null) return null;
    const { host } = settings.network();
    const name = address === undefined ? host : new URL(address).hostname;
    return `ipps://${name}:${network.port}${PRINTER_PATH}`;
  };
  return {
    async start() {
      for (const listener of both) await listener.start();
      announce();
      timer = setInterval(() => void update(), UPDATE_EVERY_MS);
      timer.unref();
    },
    update,
    async stop(graceMs) {
      clearInterval(timer);
      https.announcePrinter(null);
      await Promise.all(both.map((listener) => listener.stop(graceMs)));
    },
    async state() {
      for (const listener of both) await listener.settled();
      return {
        uri: local.port === null ? null : `ipp://${LOCAL_HOST}:${local.port}${PRINTER_PATH}`,
        networkUri: networkUri(),
        problem: problems().join(' ') || null,
      };
    },
    problems,
  };
}

function localPlace({ settings }: PrintingParts): PrinterPlace | null {
  if (settings.mode() === 'off') return null;
  return { host: LOCAL_HOST, port: settings.port(), identity: null, portSetting: 'PRINT_PORT' };
}

function networkPlace({ settings, https }: PrintingParts): PrinterPlace | null | string {
  if (settings.mode() !== 'network') return null;
  const identity = https.identity();
  if (identity === null) return NO_HTTPS;
  return { ...settings.network(), identity, portSetting: 'PRINT_NETWORK_PORT' };
}
