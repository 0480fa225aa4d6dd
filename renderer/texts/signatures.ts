import { signatures } from './en/signatures.ts';
import { t as daily } from './index.ts';

/** With the words of signatures and stamps, which come only with the screens that have them. */
export const t = { ...daily, signatures };
