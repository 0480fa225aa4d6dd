import { CertificateError } from '../../adapters/certificates/port.ts';
import { errorCode } from '../../platform/errors.ts';
import type { HttpsSettings } from './settings.ts';

/**
 * What does not work as it is set, and why, in sentences for a person. `servedPort` is the port at which HTTPS goes on as it
 * was set before, null when nothing is served.
 */
export function problemOf(error: unknown, settings: HttpsSettings, servedPort: number | null): string {
  const what =
    servedPort === null
      ? 'Other computers cannot reach Faxdesk over HTTPS.'
      : `Other computers still reach Faxdesk over HTTPS at port ${servedPort}, but not as it is set now.`;
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
      return `${host}, set as HTTPS_HOST, is no address of this computer.`;
    default:
      return 'The log has the details.';
  }
}
