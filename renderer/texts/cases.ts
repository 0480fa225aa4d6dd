import { cases } from './en/cases.ts';
import { t as daily } from './index.ts';

/** With the words of the cases, which come with that screen and not with the first. */
export const t = { ...daily, cases };
