import { mailToFax } from './en/mail-to-fax.ts';
import { t as daily } from './index.ts';

/** With the words of e-mails that are sent as faxes, which come with what shows them. */
export const t = { ...daily, mailToFax };
