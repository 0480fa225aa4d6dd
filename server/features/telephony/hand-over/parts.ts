import type { TelephonyParts } from '../parts.ts';
import type { HandOverProblems } from './problems.ts';

/** Dependencies of the hand-over, with its own record of failures. */
export type HandOverParts = TelephonyParts & { readonly problems: HandOverProblems };
