import { broadcasts } from './en/broadcasts.ts';
import { t as daily } from './index.ts';

/** With the words of broadcasts, which come with that screen and not with the first. */
export const t = { ...daily, broadcasts };
