import { ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import { aboutFields } from '../../shared/api/outbound-about-shapes.ts';
import { Id } from '../../shared/api/values.ts';
import { INBOUND_STATUSES } from '../../shared/states/inbound.ts';
import { sha256Hex } from '../platform/hash.ts';
import { answerWith, withRefusals } from './answers.ts';
import { clientFor, type ToolParts } from './context.ts';

const PDF = 'application/pdf';
/** Documents in the list of resources. */
const LISTED = 50;

const uriOf = (id: string) => `faxdesk://inbound/${id}/pdf`;

const Received = z.object({
  id: z.string(),
  from: z.string().describe('E.164, or "Unknown"'),
  to: z.string().describe('E.164, or "Unknown"'),
  contact: z.string().nullable(),
  status: z.string(),
  status_text: z.string(),
  pages: z.number().nullable(),
  received_at: z.string(),
  mailbox: z.string().nullable(),
  ...aboutFields,
  problem: z.string().nullable(),
  unread: z.boolean(),
  pdf: z
    .string()
    .nullable()
    .describe('resource with the document; null if the key may not open it, or there is none'),
});

/** Registers `list_inbound`, `get_inbound_pdf` and the resource template of received documents. */
export function registerInboundTools(parts: ToolParts): void {
  registerList(parts);
  registerPdf(parts);
  registerDocuments(parts);
}

function registerList(parts: ToolParts): void {
  parts.server.registerTool(
    'list_inbound',
    {
      title: 'List received faxes',
      description: 'Lists the received faxes that the key may see, newest first.',
      inputSchema: z.strictObject({
        status: z.enum(INBOUND_STATUSES).optional(),
        mailbox: z.string().min(1).max(100).optional().describe('label of a mailbox'),
        unread: z.boolean().optional().describe('true lists only faxes that were not read'),
        since: z.iso
          .datetime({ offset: true })
          .optional()
          .describe('only faxes recorded at this time or later'),
        limit: z.int().min(1).max(100).default(20),
        cursor: z.string().max(1000).optional().describe('next_cursor of the answer before'),
      }),
      outputSchema: z.object({
        sentence: z.string(),
        items: z.array(Received),
        next_cursor: z.string().nullable().describe('null at the end'),
      }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ unread, status, ...rest }, ctx) =>
      withRefusals(async () => {
        const query = {
          ...rest,
          ...(status === undefined ? {} : { status: [status] }),
          ...(unread === undefined ? {} : { unread: String(unread) }),
        };
        const page = await clientFor(parts, ctx).inbound.pageInbound({ query });
        const items = page.items.map(receivedFacts);
        const more = page.next_cursor === null ? '' : ' There are more.';
        return answerWith({
          sentence: `${counted(items.length, 'received fax', 'received faxes')}.${more}`,
          items,
          next_cursor: page.next_cursor,
        });
      }),
  );
}

function registerPdf(parts: ToolParts): void {
  parts.server.registerTool(
    'get_inbound_pdf',
    {
      title: 'Get the document of a received fax',
      description:
        'Returns the PDF of a received fax. This marks it as read, and the security audit records it.',
      inputSchema: z.strictObject({ id: Id.describe('id of a received fax') }),
      outputSchema: z.object({
        sentence: z.string(),
        id: z.string(),
        size_bytes: z.number(),
        sha256: z.string(),
        uri: z.string().describe('resource of the document'),
      }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ id }, ctx) =>
      withRefusals(async () => {
        const pdf = await clientFor(parts, ctx).inbound.inboundPdf({ params: { id } });
        const facts = { id, size_bytes: pdf.length, sha256: sha256Hex(pdf), uri: uriOf(id) };
        const sentence = `The document of the received fax, ${pdf.length} bytes of PDF.`;
        const resource = { uri: facts.uri, mimeType: PDF, blob: Buffer.from(pdf).toString('base64') };
        return answerWith({ sentence, ...facts }, { type: 'resource', resource });
      }),
  );
}

function registerDocuments(parts: ToolParts): void {
  const template = new ResourceTemplate(uriOf('{id}'), {
    list: async (ctx) => {
      const query = { status: ['received'], limit: LISTED } as never;
      const { items } = await clientFor(parts, ctx).inbound.pageInbound({ query });
      const open = items.filter(isOpenable);
      return {
        resources: open.map((fax) => ({ uri: uriOf(fax.id), name: titleOf(fax), mimeType: PDF })),
      };
    },
  });
  parts.server.registerResource(
    'received-fax',
    template,
    { title: 'Document of a received fax', description: 'PDF of a received fax, by its id', mimeType: PDF },
    async (uri, { id }, ctx) => {
      const pdf = await clientFor(parts, ctx).inbound.inboundPdf({ params: { id: String(id) } });
      return { contents: [{ uri: uri.href, mimeType: PDF, blob: Buffer.from(pdf).toString('base64') }] };
    },
  );
}

type Fax = z.infer<typeof InboundFax>;

const isOpenable = (fax: Fax) => fax.may_open && fax.document_kept && fax.sha256 !== null;

function receivedFacts(fax: Fax): z.infer<typeof Received> {
  return {
    id: fax.id,
    from: fax.fr,
    to: fax.to,
    contact: fax.contact?.name ?? null,
    status: fax.status,
    status_text: fax.status_text,
    pages: fax.pages,
    received_at: fax.received_at,
    mailbox: fax.mailbox,
    subject: fax.subject,
    reference: fax.reference,
    document_type: fax.document_type,
    problem: fax.problem,
    unread: fax.read_at === null,
    pdf: isOpenable(fax) ? uriOf(fax.id) : null,
  };
}

const titleOf = (fax: Fax) => `Fax from ${fax.contact?.name ?? fax.fr}, ${fax.received_at}`;

/** `1 contact`, `3 contacts`, `No contacts`. */
export function counted(count: number, one: string, many: string): string {
  if (count === 0) return `No ${many}`;
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}
