import { en } from './en/index.ts';

/** Form of the texts of the console. The English ones define it, for every other language as well. */
type Catalog = typeof en;

export const t: Catalog = en;
