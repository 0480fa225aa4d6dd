import { en } from './en/index.ts';

/** Texts of the console, in the language of the person. English is the catalog that others will follow. */
type Catalog = typeof en;

export const t: Catalog = en;
