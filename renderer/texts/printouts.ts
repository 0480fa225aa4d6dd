import { printouts } from './en/printouts.ts';
import { t as daily } from './index.ts';

/** With the words of received faxes on paper, which come with what shows them. */
export const t = { ...daily, printouts };
