import { t as access } from './access.ts';
import { webhook } from './en/access-webhooks.ts';

/** With the words of webhooks, which come with that part of Access. */
export const t = { ...access, webhook };
