import { twoFactor } from './en/two-factor.ts';
import { t as daily } from './index.ts';

/** With the words of the second factor, which come only where it is set up. */
export const t = { ...daily, twoFactor };
