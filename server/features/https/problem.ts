import { CertificateError } from '../../adapters/certificates/port.ts';
import { errorCode } from '../../platform/errors.ts';
import type { HttpsSettings } from './settings.ts';

/** Why it does not work as it is set, in one sentence for a person. */
export function problemOf(error: unknown, { host, port }: HttpsSettings): string {
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
