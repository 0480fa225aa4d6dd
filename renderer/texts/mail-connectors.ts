import { t as administration } from './administration.ts';
import { mail } from './en/mail.ts';
import { mailConnectors } from './en/mail-connectors.ts';
import { mailOAuth } from './en/mail-oauth.ts';

/** With the words of the e-mail connectors, which come with Settings. */
export const t = { ...administration, mail, mailConnectors, mailOAuth };
