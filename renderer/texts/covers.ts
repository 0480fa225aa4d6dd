import { covers } from './en/covers.ts';
import { t as daily } from './index.ts';

/** With the words of cover pages, which come with that screen and not with the first. */
export const t = { ...daily, covers };
