import type { z } from 'zod';
import type { Notices } from '../../../shared/api/notices.ts';

/** Check of a partner's fax number that ends soon. */
export type NumberCheck = z.infer<typeof Notices>['number_checks'][number];
