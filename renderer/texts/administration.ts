import { administration } from './en/administration.ts';
import { t as daily } from './index.ts';

/** Texts including those of the first start, Settings and System, which load with these screens. */
export const t = { ...daily, ...administration };
