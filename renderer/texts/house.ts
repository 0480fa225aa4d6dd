import { house } from './en/house.ts';
import { t as daily } from './index.ts';

/** With the words of the first start, Settings and System, which come with those screens and not with the first. */
export const t = { ...daily, ...house };
