import { en } from './en/index.ts';

/** Every text of the console, in the language of the person. English is the catalogue that others will follow. */
export type Catalogue = typeof en;

export const t: Catalogue = en;
