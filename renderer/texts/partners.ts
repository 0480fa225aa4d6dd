import { partners } from './en/partners.ts';
import { t as daily } from './index.ts';

/** With the words of partners, which come with their screen. */
export const t = { ...daily, partners };
