import { sent } from './en/sent.ts';
import { t as daily } from './index.ts';

/** With the words of Sent, which come with that screen and not with the first. */
export const t = { ...daily, sent };
