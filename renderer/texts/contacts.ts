import { contacts } from './en/contacts.ts';
import { t as daily } from './index.ts';

/** With the words of contacts, which come with where they are shown and not with the first screen. */
export const t = { ...daily, contacts };
