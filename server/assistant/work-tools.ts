import { z } from 'zod';
import { aboutFields } from '../../shared/api/outbound-about-shapes.ts';
import { Id, Version } from '../../shared/api/values.ts';
import { WORK_VIEWS, type WorkItem } from '../../shared/api/work-shapes.ts';
import { answerWith, withRefusals } from './answers.ts';
import { clientFor, type ToolParts } from './context.ts';
import { counted } from './inbound-tools.ts';

const Item = z.object({
  id: z.string(),
  inbound_fax_id: z.string(),
  state: z.string(),
  state_text: z.string(),
  from_number: z.string().nullable(),
  contact: z.string().nullable(),
  pages: z.number(),
  ...aboutFields,
  mailbox: z.string().nullable(),
  owner: z.string().nullable(),
  is_mine: z.boolean().describe('true if the caller is its owner'),
  due_at: z.string().nullable(),
  due_text: z.string().nullable(),
  problem: z.string().nullable(),
  version: z.number().describe('pass it to acknowledge_work'),
});

/** Registers `list_work` and `acknowledge_work`. */
export function registerWorkTools(parts: ToolParts): void {
  parts.server.registerTool(
    'list_work',
    {
      title: 'List the work queue',
      description: 'Lists received documents that somebody has to deal with: first due first.',
      inputSchema: z.strictObject({
        view: z.enum(WORK_VIEWS).default('todo'),
        mailbox: z.string().min(1).max(100).optional().describe('label of a mailbox'),
        limit: z.int().min(1).max(100).default(20),
        cursor: z.string().max(1000).optional().describe('next_cursor of the answer before'),
      }),
      outputSchema: z.object({
        sentence: z.string(),
        items: z.array(Item),
        next_cursor: z.string().nullable(),
      }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (query, ctx) =>
      withRefusals(async () => {
        const page = await clientFor(parts, ctx).work.listWork({ query });
        const items = page.items.map(itemFacts);
        const more = page.next_cursor === null ? '' : ' There are more.';
        return answerWith({
          sentence: `${counted(items.length, 'work item', 'work items')}.${more}`,
          items,
          next_cursor: page.next_cursor,
        });
      }),
  );
  parts.server.registerTool(
    'acknowledge_work',
    {
      title: 'Acknowledge a work item',
      description:
        'Acknowledges a work item of the caller, in the version that was listed. It is refused if it changed since.',
      inputSchema: z.strictObject({
        id: Id.describe('id of a work item'),
        version: Version.describe('version as list_work returned it'),
      }),
      outputSchema: z.object({ sentence: z.string(), item: Item }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ id, version }, ctx) =>
      withRefusals(async () => {
        const { work } = clientFor(parts, ctx);
        const item = await work.acknowledgeWork({ params: { id }, body: { version } });
        return answerWith({ sentence: 'The work item is acknowledged.', item: itemFacts(item) });
      }),
  );
}

function itemFacts(item: z.infer<typeof WorkItem>): z.infer<typeof Item> {
  return {
    id: item.id,
    inbound_fax_id: item.inbound_fax_id,
    state: item.state,
    state_text: item.state_text,
    from_number: item.from_number,
    contact: item.contact?.name ?? null,
    pages: item.pages,
    subject: item.subject,
    reference: item.reference,
    document_type: item.document_type,
    mailbox: item.mailbox,
    owner: item.owner?.name ?? null,
    is_mine: item.is_mine,
    due_at: item.due_at,
    due_text: item.due_text,
    problem: item.problem,
    version: item.version,
  };
}
