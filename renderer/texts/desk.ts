import { desk } from './en/desk.ts';
import { t as daily } from './index.ts';

/** With the words of a person's own settings, which come only with their screen. */
export const t = { ...daily, desk };
