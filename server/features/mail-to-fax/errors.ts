import { RefusalError } from '../../platform/errors.ts';

class MailToFaxRefusalError extends RefusalError {
  override name = 'MailToFaxRefusalError';
}

export const noSuchSender = () => new MailToFaxRefusalError('no_such_mail_sender');
export const noSuchPerson = () => new MailToFaxRefusalError('no_such_person');
export const noSuchMailbox = () => new MailToFaxRefusalError('unknown_mailbox');
export const senderRefused = (sentence: string) =>
  new MailToFaxRefusalError('mail_sender_refused', { sentence });
export const sendsMore = () => new MailToFaxRefusalError('person_holds_more');
