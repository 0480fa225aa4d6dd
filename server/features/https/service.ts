import { X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import type { HttpsState } from '../../../shared/api/https.ts';
import type { Identity } from '../../adapters/certificates/port.ts';
import { isoTime } from '../../platform/clock.ts';
import { noRootCertificate } from './errors.ts';
import type { HttpsListener } from './listener.ts';
import { certificateNames } from './names.ts';
import { type HttpsSettings, sourceOf } from './settings.ts';

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
  /** Returns sentences that say what does not work as configured, and why; null when everything works. */
  problem(): string | null;
  /** Returns the state after every change so far is applied. */
  state(): Promise<z.infer<typeof HttpsState>>;
  /** The root certificate that other computers install, in DER. Throws a 404 refusal when there is none of its own. */
  rootCertificate(): Uint8Array;
}

export function createHttpsService(parts: {
  listener: HttpsListener;
  settings: () => HttpsSettings;
}): HttpsService {
  const { listener, settings } = parts;
  return {
    origins: () => listener.origins,
    names: () => certificateNames(settings()),
    addresses: () => listener.addresses(),
    identity: () => listener.identity,
    problem: () => listener.problem,
    async state() {
      await listener.settled();
      const { server, root } = listener.shown;
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
        problem: listener.problem,
      };
    },
    rootCertificate() {
      const certificate = listener.rootCertificate;
      if (certificate === null) throw noRootCertificate();
      return new X509Certificate(certificate).raw;
    },
  };
}
