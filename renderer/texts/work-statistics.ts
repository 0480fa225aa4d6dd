import { workStatistics } from './en/work-statistics.ts';
import { t as daily } from './index.ts';

/** With the words of the statistics, which come with that screen and not with the first. */
export const t = { ...daily, workStatistics };
