import { z } from 'zod';
import { Id } from '../../shared/api/values.ts';
import { answerWith, withRefusals } from './answers.ts';
import { clientFor, type ToolParts } from './context.ts';
import { FaxFacts, faxFacts, faxSentence } from './fax-facts.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const FaxId = z.strictObject({ id: Id.describe('id of a sent fax, as send_fax returned it') });

/** Registers `get_fax_status` and `get_fax`. */
export function registerFaxTools(parts: ToolParts): void {
  parts.server.registerTool(
    'get_fax_status',
    {
      title: 'Get the state of a sent fax',
      description: 'Returns whether a sent fax was delivered.',
      inputSchema: FaxId,
      outputSchema: z.object({ sentence: z.string(), fax: FaxFacts }),
      annotations: READS,
    },
    ({ id }, ctx) =>
      withRefusals(async () => {
        const fax = await clientFor(parts, ctx).outbound.getFax({ params: { id } });
        return answerWith({ sentence: faxSentence(fax), fax: faxFacts(fax) });
      }),
  );
  parts.server.registerTool(
    'get_fax',
    {
      title: 'Get a sent fax with its history',
      description: 'Returns a sent fax, its newest attempt and its history, oldest entry first.',
      inputSchema: FaxId,
      outputSchema: FaxDetails,
      annotations: READS,
    },
    ({ id }, ctx) =>
      withRefusals(async () => {
        const { outbound } = clientFor(parts, ctx);
        const fax = await outbound.getFax({ params: { id } });
        const { events } = await outbound.faxHistory({ params: { id } });
        const { attempt } = fax;
        return answerWith({
          sentence: faxSentence(fax),
          fax: faxFacts(fax),
          attempt: attempt && {
            number: attempt.number,
            phase: attempt.phase,
            submitted_at: attempt.submitted_at,
            completed_at: attempt.completed_at,
            pages_sent: attempt.pages_sent,
          },
          history: events.map(({ occurred_at, actor, text }) => ({ occurred_at, actor, text })),
        });
      }),
  );
}

const FaxDetails = z.object({
  sentence: z.string(),
  fax: FaxFacts,
  attempt: z
    .object({
      number: z.number(),
      phase: z.string(),
      submitted_at: z.string().nullable(),
      completed_at: z.string().nullable(),
      pages_sent: z.number().nullable(),
    })
    .nullable()
    .describe('newest attempt'),
  history: z.array(z.object({ occurred_at: z.string(), actor: z.string(), text: z.string() })),
});
