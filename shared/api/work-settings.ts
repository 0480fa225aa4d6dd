import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { Id, Version } from './values.ts';

export const WorkPerson = z.strictObject({ id: Id, name: z.string() }).meta({ id: 'WorkPerson' });
/** Of an acknowledgement target. */
export const Hours = z.number().int().min(0).max(LIMITS.acknowledgeHours);

export const WorkSettingsAnswer = z
  .strictObject({
    acknowledge_hours: Hours.describe('target of the installation (WORK_ACKNOWLEDGE_HOURS); 0 for no target'),
    mailboxes: z.array(
      z.strictObject({
        mailbox_id: Id,
        label: z.string(),
        enabled: z.boolean(),
        acknowledge_hours: Hours.nullable().describe(
          '0 for no target, null for the target of the installation',
        ),
        backup: WorkPerson.nullable(),
        version: Version,
        people: z.array(WorkPerson).describe('people who can be its backup person'),
      }),
    ),
  })
  .meta({ id: 'WorkSettings' });

export const WorkSettingsChange = z
  .strictObject({
    mailboxes: z
      .array(
        z.strictObject({
          mailbox_id: Id,
          acknowledge_hours: Hours.nullable(),
          backup_principal_id: Id.nullable(),
          version: Version,
        }),
      )
      .min(1)
      .max(LIMITS.listLimit.most),
  })
  .meta({ id: 'WorkSettingsChange' });
