import type { Request } from 'express';
import { type AccessSettings, isForeignPage } from '../features/access/service.ts';
import type { HttpsService } from '../features/https/service.ts';
import { isLoopbackHost } from '../platform/public-address.ts';

/** Checks of a request before its body is read: whether the page and the host name that it came by are our own. */
export interface RequestOrigins {
  /** Returns true when the request comes from a web page of another site. */
  isForeignPage(request: Request): boolean;
  /** Returns true for a host name of the installation: lower case, IPv6 without brackets. */
  isKnownHost(name: string): boolean;
}

/** The names are those of the settings, of the computer and of its certificate, and those of loopback. */
export function createRequestOrigins({
  settings,
  listening,
  https,
}: {
  settings: AccessSettings;
  listening: () => { host: string; port: number; secureOrigins: readonly string[] };
  https: HttpsService;
}): RequestOrigins {
  return {
    isForeignPage: (request) => isForeignPage(request, settings, listening()),
    isKnownHost(name) {
      if (isLoopbackHost(name)) return true;
      const outside = [settings.publicApiUrl(), ...settings.allowedOrigins()];
      if (outside.some((url) => url !== null && URL.parse(url)?.hostname === name)) return true;
      return name === listening().host.toLowerCase() || https.names().includes(name);
    },
  };
}
