import { errorCode } from '../../platform/errors.ts';
import { refusalReason } from './failures.ts';
import { type MailAccount, MailFolderError } from './folder-port.ts';

/** Error with the fields that imapflow adds. */
interface ImapError extends Error {
  readonly code?: string;
  readonly authenticationFailed?: boolean;
  readonly serverResponseCode?: string;
  readonly responseText?: string;
}

/** Maps an error to the reason why a folder cannot be read, in one sentence. */
export function asFolderError(account: MailAccount, error: unknown): MailFolderError {
  if (error instanceof MailFolderError) return error;
  return new MailFolderError(sentenceOf(account, error as ImapError), error);
}

function sentenceOf(account: MailAccount, error: ImapError): string {
  const { host, folder } = account;
  if (error.authenticationFailed === true) return 'The e-mail server refused the sign-in.';
  if (error.serverResponseCode === 'NONEXISTENT' || error.serverResponseCode === 'TRYCREATE')
    return `There is no folder “${folder}” on ${host}.`;
  const code = errorCode(error);
  if (code === 'CONNECT_TIMEOUT' || code === 'GREETING_TIMEOUT' || code === 'UPGRADE_TIMEOUT')
    return `${host} did not answer on port ${account.port} in time.`;
  if (code === 'NoConnection' || code === 'EConnectionClosed' || code === 'ETIMEOUT')
    return `The connection to ${host} was lost.`;
  if (error.responseText !== undefined) return `${host} refused access to the folder “${folder}”.`;
  const sentence = refusalReason(account, error);
  return sentence.replace(' before the message was sent', '');
}
