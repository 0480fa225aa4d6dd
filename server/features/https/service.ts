import { X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import type { HttpsState } from '../../../shared/api/https.ts';
import type { Certificates, Identity } from '../../adapters/certificates/port.ts';
import type { Announcer } from '../../adapters/discovery/port.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Announcements } from './announcements.ts';
import { noRootCertificate } from './errors.ts';
import type { HttpsListener } from './listener.ts';
import { certificateNames } from './names.ts';
import { type HttpsSettings, sourceOf } from './settings.ts';
import type { AnnouncedPrinter } from './types.ts';

/** The service of the room: how other computers reach the gateway. */
export interface HttpsService {
  /** The origins of its own pages. */
  origins(): readonly string[];
  /** Everything by which this computer may be called, also while it is closed: lower case, IPv6 without brackets. */
  names(): readonly string[];
  /** Returns the addresses for people on other computers, best first; empty while the listener is closed. */
  addresses(): string[];
  /** Returns certificate and key for other listeners of the gateway; null while HTTPS is off or does not work. */
  identity(): Identity | null;
  /** Announces the printer for other computers in the local network, where that is set; null while it does not listen. */
  announcePrinter(printer: AnnouncedPrinter | null): void;
  /** Returns the name under which the printer is announced; null while it is not. */
  announcedPrinter(): string | null;
  /** Returns sentences that say what does not work as configured, and why; null when everything works. */
  problem(): string | null;
  /** Waits until certificate and addresses follow every change of the settings so far. */
  settled(): Promise<void>;
  /** Returns the state after every change so far is applied. */
  state(): Promise<z.infer<typeof HttpsState>>;
  /** The root certificate that other computers install, in DER. Throws a 404 refusal when there is none of its own. */
  rootCertificate(): Uint8Array;
}

export function createHttpsService(parts: {
  listener: HttpsListener;
  settings: () => HttpsSettings & { readonly announcedHost: string | null };
  certificates: Pick<Certificates, 'wordsOf'>;
  announcer: Announcer;
  announcements: Announcements;
}): HttpsService {
  const { listener, settings, certificates, announcer, announcements } = parts;
  return {
    origins: () => listener.origins,
    names: () => certificateNames(settings()),
    addresses: () => listener.addresses(),
    identity: () => listener.identity,
    announcePrinter: (printer) => announcements.setPrinter(printer),
    announcedPrinter: () => announcer.announced?.services.printer ?? null,
    problem: () => listener.problem,
    settled: () => listener.settled(),
    async state() {
      await listener.settled();
      await announcements.settled();
      const { server, root } = listener.shown;
      const { identity } = listener;
      return {
        source: sourceOf(settings()),
        listening: listener.listening,
        addresses: listener.addresses(),
        certificate: server && {
          fingerprint: server.fingerprint,
          names: [...server.names],
          valid_until: isoTime(server.endsMs),
        },
        root: root && { name: root.title, fingerprint: root.fingerprint, valid_until: isoTime(root.endsMs) },
        words: identity && (await certificates.wordsOf(identity)),
        announced: announcer.announced?.services.gateway ?? null,
        problem: listener.problem ?? announcer.problem,
      };
    },
    rootCertificate() {
      const certificate = listener.rootCertificate;
      if (certificate === null) throw noRootCertificate();
      return new X509Certificate(certificate).raw;
    },
  };
}
