import type { z } from 'zod';
import type { TelephonyCheck } from '../../../../shared/api/telephony.ts';

/** Result of one check, with a sentence for a person. */
export type LineCheck = z.infer<typeof TelephonyCheck>['checks'][number];

export const ok = (name: LineCheck['name'], detail: string): LineCheck => ({ name, ok: true, detail });
export const problem = (name: LineCheck['name'], detail: string): LineCheck => ({ name, ok: false, detail });
export const isOk = (check: LineCheck): boolean => check.ok;
