import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ContactRef } from './contacts-fields.ts';

export const DirectoryQuery = z.strictObject({
  q: z
    .string()
    .max(LIMITS.searchLength)
    .default('')
    .describe(
      'parts of a name, an organization or a fax number; with less than 2 characters nothing is searched',
    ),
  limit: z.coerce.number().int().min(1).max(LIMITS.completions).default(8),
});

export const DirectoryMatch = z
  .strictObject({
    name: z.string(),
    organization: z.string().nullable(),
    fax_number: z.string().describe('E.164'),
    other_fax_numbers: z.array(z.string()).describe('further fax numbers of the entry, E.164'),
    voice_number: z.string().nullable().describe('E.164'),
    address: z.string().nullable(),
    contact: ContactRef.nullable().describe('contact with this fax number that the caller can see'),
  })
  .meta({ id: 'DirectoryMatch' });

export const DirectoryMatches = z
  .strictObject({
    configured: z.boolean().describe('true if the settings name an office directory'),
    items: z.array(DirectoryMatch),
  })
  .meta({ id: 'DirectoryMatches' });
