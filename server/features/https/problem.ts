import { CertificateError } from '../../adapters/certificates/port.ts';
import { errorCode } from '../../platform/errors.ts';
import type { HttpsSettings } from './settings.ts';

/**
 * Returns sentences for a person that say what does not work as configured, and why. `servedPort` is the port where
 * HTTPS still runs with the earlier settings; null when it does not run.
 */
export function problemOf(error: unknown, settings: HttpsSettings, servedPort: number | null): string {
  const what =
    servedPort === null
      ? 'Other computers cannot reach Faxdesk over HTTPS.'
      : `Other computers still reach Faxdesk over HTTPS at port ${servedPort}, but not with the current settings.`;
  return `${what} ${reasonOf(error, settings)}`;
}

function reasonOf(error: unknown, { host, port }: HttpsSettings): string {
  if (error instanceof CertificateError) return error.message;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Another program uses port ${port}. Set another HTTPS_PORT.`;
    case 'EACCES':
      return `The system does not let Faxdesk use port ${port}. Set HTTPS_PORT to 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host}, set as HTTPS_HOST, is not an address of this computer.`;
    default:
      return 'The log has the details.';
  }
}
