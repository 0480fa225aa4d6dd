import { mail } from './en/mail.ts';
import { t as daily } from './index.ts';

/** With the words of received faxes by e-mail, which come with what shows them. */
export const t = { ...daily, mail };
