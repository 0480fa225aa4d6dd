import { z } from 'zod';
import { AllowedHours } from '../../../shared/api/contacts-fields.ts';
import type { PrintRuleRow } from './types.ts';

const Spans = z.array(AllowedHours);

/** Returns the hours of a rule; null for always. */
export const hoursOf = ({ hours }: Pick<PrintRuleRow, 'hours'>): z.infer<typeof Spans> | null =>
  hours === null ? null : Spans.parse(JSON.parse(hours));
