import { work } from './en/work.ts';
import { t as daily } from './index.ts';

/** With the words of work items, which come with the screens that show them and not with the first. */
export const t = { ...daily, work };
