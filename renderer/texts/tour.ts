import { tour } from './en/tour.ts';
import { t as daily } from './index.ts';

/** With the words of the tour, which come only with it. */
export const t = { ...daily, tour };
