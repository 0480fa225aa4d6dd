import { costs } from './en/costs.ts';
import { t as daily } from './index.ts';

/** With the words of Costs, which come with that screen and not with the first. */
export const t = { ...daily, costs };
