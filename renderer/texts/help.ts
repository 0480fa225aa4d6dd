import { help } from './en/help.ts';
import { t as daily } from './index.ts';

/** With the words of the help, which come with that screen and not with the first. */
export const t = { ...daily, help };
