import type { AnnouncedService, Announcer } from '../../adapters/discovery/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { HttpsListener } from './listener.ts';
import type { HttpsSettings } from './settings.ts';
import type { AnnouncedPrinter } from './types.ts';

const GATEWAY_TYPE = '_faxdesk._tcp';
/** Secure IPP; the subtypes are those by which phones and programs look for printers. */
const PRINTER_TYPE = '_ipps._tcp';
const PRINTER_SUBTYPES = ['_print', '_universal'];

interface AnnouncementParts {
  readonly announcer: Announcer;
  readonly listener: HttpsListener;
  readonly logger: Logger;
  readonly settings: () => HttpsSettings;
  /** Name of the installation for people. */
  readonly name: () => string;
  /** Called when the host name that is announced is another one, which the certificate then names. */
  readonly hostChanged: () => void;
}

/** Announces the gateway and its printer in the local network while the settings say so. */
export interface Announcements {
  /** Follows settings, listeners and network; returns without waiting for the network. */
  update(): void;
  /** Announces the printer for other computers as well; null while it does not listen. */
  setPrinter(printer: AnnouncedPrinter | null): void;
  /** Waits until every change so far is announced. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export function createAnnouncements(parts: AnnouncementParts): Announcements {
  const { announcer, settings } = parts;
  let printer: AnnouncedPrinter | null = null;
  let work: Promise<void> = Promise.resolve();
  const follow = async () => {
    const { host } = announcer;
    await announcer.update(settings().announced ? servicesOf(parts, printer) : []);
    if (announcer.host !== host) parts.hostChanged();
  };
  const update = () => {
    work = work.then(follow).catch((error: unknown) => {
      parts.logger.error({ error }, 'the gateway could not be announced in the local network');
    });
  };
  return {
    update,
    setPrinter(next) {
      if (JSON.stringify(next) === JSON.stringify(printer)) return;
      printer = next;
      update();
    },
    settled: () => work,
    async stop() {
      await announcer.stop();
      await work;
    },
  };
}

function servicesOf(parts: AnnouncementParts, printer: AnnouncedPrinter | null): AnnouncedService[] {
  const gateway = gatewayService(parts);
  if (gateway === null) return [];
  if (printer === null) return [gateway];
  const kind = { kind: 'printer' as const, type: PRINTER_TYPE, subtypes: PRINTER_SUBTYPES };
  return [gateway, { ...kind, ...printer }];
}

function gatewayService({ listener, settings, name }: AnnouncementParts): AnnouncedService | null {
  const { bound, shown } = listener;
  if (bound === null) return null;
  const [host] = settings().names;
  return {
    kind: 'gateway',
    name: name(),
    type: GATEWAY_TYPE,
    subtypes: [],
    ...bound,
    facts: {
      txtvers: '1',
      path: '/admin/ui/',
      ...(host === undefined ? {} : { host }),
      ...(shown.root === null ? {} : { root: shown.root.fingerprint.replaceAll(':', '').toLowerCase() }),
    },
  };
}
