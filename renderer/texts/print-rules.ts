import { t as administration } from './administration.ts';
import { printRules } from './en/print-rules.ts';
import { printouts } from './en/printouts.ts';

/** With the words of the print rules, which come with Settings. */
export const t = { ...administration, printouts, printRules };
