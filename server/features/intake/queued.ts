import { z } from 'zod';
import { Id } from '../../../shared/api/values.ts';

export const deliverJob = {
  kind: 'intake.deliver',
  schema: z.strictObject({ item_id: Id }),
} as const;

export const deliverKey = (itemId: string) => `intake:${itemId}`;
