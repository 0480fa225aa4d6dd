import { mail } from './en/mail.ts';
import { mailConnectors } from './en/mail-connectors.ts';
import { mailOAuth } from './en/mail-oauth.ts';
import { t as house } from './house.ts';

/** With the words of the e-mail connectors, which come with Settings. */
export const t = { ...house, mail, mailConnectors, mailOAuth };
