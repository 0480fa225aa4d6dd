import { z } from 'zod';
import { answerWith, withRefusals } from './answers.ts';
import { clientFor, type ToolParts } from './context.ts';
import { counted } from './inbound-tools.ts';

/** Registers `find_contact`. */
export function registerContactTools(parts: ToolParts): void {
  parts.server.registerTool(
    'find_contact',
    {
      title: 'Find a contact',
      description: 'Finds contacts with their fax numbers by name, organization or part of the number.',
      inputSchema: z.strictObject({
        query: z
          .string()
          .min(1)
          .max(100)
          .describe('words of the name or organization, or part of the number'),
        limit: z.int().min(1).max(50).default(10),
      }),
      outputSchema: z.object({
        sentence: z.string(),
        items: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            organization: z.string().nullable(),
            fax_number: z.string().describe('E.164'),
            blocked: z.boolean().describe('true if no fax is accepted for the number'),
            last_success_at: z.string().nullable().describe('time of the last delivered fax'),
          }),
        ),
      }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ query: q, limit }, ctx) =>
      withRefusals(async () => {
        const { items, next_cursor } = await clientFor(parts, ctx).contacts.listContacts({
          query: { q, limit },
        });
        const more = next_cursor === null ? '' : ' There are more: use more words.';
        return answerWith({
          sentence: `${counted(items.length, 'contact', 'contacts')}.${more}`,
          items: items.map(({ id, name, organization, fax_number, blocked, last_success_at }) => ({
            id,
            name,
            organization,
            fax_number,
            blocked,
            last_success_at,
          })),
        });
      }),
  );
}
