import type { MailAccount } from '../../adapters/mail/folder-port.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { isLoopbackHost } from '../../platform/public-address.ts';
import type { MailToFaxSettings } from './parts.ts';

/** The mailbox that is read, or why it is not; null while none is set. */
export type Account = { readonly account: MailAccount; readonly id: string } | { readonly problem: string };

export function accountOf(settings: MailToFaxSettings): Account | null {
  const server = settings.server();
  if (server === null) return null;
  if (server.username === '' || server.password === '')
    return { problem: 'The sign-in name or the password of the mailbox is not set.' };
  if (settings.addresses().length === 0)
    return { problem: 'The address of the mailbox is not set (MAIL_TO_FAX_ADDRESS).' };
  if (server.security === 'none' && !isLoopbackHost(server.host))
    return { problem: 'A mailbox without encryption is only read from a server on this computer.' };
  return { account: server, id: accountId(server) };
}

/** UIDs mean something in one folder of one mailbox only. */
function accountId({ host, username, folder }: MailAccount): string {
  return sha256Hex([host.toLowerCase(), username, folder].join('\n')).slice(0, 32);
}
