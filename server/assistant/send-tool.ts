import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { aboutFormFields } from '../../shared/api/outbound-about-shapes.ts';
import type { Client } from '../../shared/client/index.ts';
import { COVER_LIMITS } from '../../shared/covers.ts';
import { DOCUMENT_TYPE_TABLE } from '../../shared/document-type-table.ts';
import { ASSISTANT_TYPE_CHOICE, isDocumentType, typeBySignature } from '../../shared/document-types.ts';
import { GUARD_MODES } from '../../shared/guard.ts';
import { LIMITS } from '../../shared/limits.ts';
import { sha256Hex } from '../platform/hash.ts';
import { answerWith, ToolRefusedError, withRefusals } from './answers.ts';
import { canConfirm, clientFor, type ToolParts } from './context.ts';
import { FaxFacts, faxFacts, faxSentence } from './fax-facts.ts';

/** Document to be sent, with the name that a person sees. */
interface Document {
  readonly name: string;
  readonly content: Buffer;
}

const CONFIRM = 'confirm';
const Confirmed = z.object({ send: z.boolean() });
/** Header of the answer to a repeated request. */
const REPLAYED_HEADER = 'Idempotency-Replayed';

const common = {
  to: z.string().min(1).max(40).describe('fax number with + and country code, or a national number'),
  fileName: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('name with the extension of its type, e.g. referral.pdf'),
  operationId: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/u, 'must be 1 to 100 visible ASCII characters without spaces')
    .optional()
    .describe(
      'name of this fax, chosen by the caller: calls with the same operationId are one fax. Without it, the same document to the same number is one fax',
    ),
  mailbox: z
    .string()
    .min(1)
    .max(LIMITS.displayNameLength)
    .optional()
    .describe('label of the mailbox it is sent for; needed if the key can send for several'),
  ...aboutFormFields,
  answers: z
    .string()
    .min(1)
    .max(LIMITS.idLength)
    .optional()
    .describe('id of the received fax that this one answers; only recorded'),
  cover: z
    .string()
    .min(1)
    .max(LIMITS.idLength)
    .optional()
    .describe('id of the cover page, or none; left out, the usual one of the recipient or the sender'),
  coverFields: z
    .record(z.string().max(LIMITS.displayNameLength), z.string().max(COVER_LIMITS.fieldsText))
    .optional()
    .describe('values on the cover page by field, such as attention and note'),
  guard: z
    .enum(GUARD_MODES)
    .optional()
    .describe(
      'refuse: do not send where the number or the document looks like a mistake; a person then has to send it. Default ignore',
    ),
};
const fileContent = z
  .string()
  .min(1)
  .describe(`the document itself in base64: ${ASSISTANT_TYPE_CHOICE}. An address is not accepted`);

const ContentInput = z.strictObject({ ...common, fileContent });
const ContentOrPathInput = z.strictObject({
  ...common,
  fileContent: fileContent.optional(),
  filePath: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('file on this computer, in a folder that was allowed; either this or fileContent'),
});
type SendInput = z.infer<typeof ContentOrPathInput>;

const SendOutput = z.object({
  sentence: z.string(),
  fax: FaxFacts,
  operation_id: z.string().describe('repeat the call with it if the answer was lost'),
  repeated: z.boolean().describe('true if the fax was accepted by an earlier call; nothing was sent again'),
});

/** Registers `send_fax`. */
export function registerSendTool(parts: ToolParts): void {
  const config = {
    title: 'Send a fax',
    description:
      'Sends a document as a fax. Accepted is not delivered: check with get_fax_status. A fax cannot be recalled, so check the number first.',
    outputSchema: SendOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  };
  const run = (input: SendInput, ctx: ServerContext) => withRefusals(() => sendFax(parts, input, ctx));
  if (parts.readFile === null)
    parts.server.registerTool('send_fax', { ...config, inputSchema: ContentInput }, run);
  else parts.server.registerTool('send_fax', { ...config, inputSchema: ContentOrPathInput }, run);
}

async function sendFax(
  parts: ToolParts,
  input: SendInput,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  let isRepeat = false;
  const client = clientFor(parts, ctx, ({ headers }) => {
    isRepeat ||= headers.get(REPLAYED_HEADER) === 'true';
  });
  const document = await documentOf(parts, input);
  const question = await confirm(parts, { client, document, input }, ctx);
  if (question !== null) return question;
  const operationId = input.operationId ?? operationOf(await normalized(client, input.to), document);
  const fax = await client.outbound.sendFax({
    fields: {
      to: input.to,
      ...definedOf({
        mailbox: input.mailbox,
        guard: input.guard,
        answers: input.answers,
        cover: input.cover,
        cover_fields: input.coverFields && JSON.stringify(input.coverFields),
        subject: input.subject,
        reference: input.reference,
        document_type: input.document_type,
      }),
    },
    files: { file: [{ name: document.name, content: new Blob([new Uint8Array(document.content)]) }] },
    headers: { 'Idempotency-Key': operationId },
    signal: ctx.mcpReq.signal,
  });
  const sentence = isRepeat
    ? `${faxSentence(fax)} It was accepted at ${fax.created_at} by an earlier call; nothing was sent again. To send it once more on purpose, use a new operationId.`
    : faxSentence(fax);
  return answerWith({ sentence, fax: faxFacts(fax), operation_id: operationId, repeated: isRepeat });
}

/** Returns the question for a person while it is open; null once the fax may be sent. Throws when they refused. */
async function confirm(
  { server }: ToolParts,
  { client, document, input }: { client: Client; document: Document; input: SendInput },
  ctx: ServerContext,
): Promise<InputRequiredResult | null> {
  // Refused while assistants are turned off.
  const { confirm: rule, may_send } = await client.assistant.rules();
  if (!canConfirm(server, ctx)) return null;
  // Without the right to send, the gateway gives the reason.
  if (!may_send || rule === 'never') return null;
  const number = await client.outbound.checkNumber({ query: { to: input.to } });
  if (number.to === null || (rule === 'first_time' && !number.first_time)) return null;
  const answer = inputResponse(ctx.mcpReq.inputResponses, CONFIRM);
  if (answer.kind === 'elicit') {
    if (answer.action === 'accept' && Confirmed.safeParse(answer.content).data?.send === true) return null;
    throw new ToolRefusedError('The fax was not sent: nobody confirmed it.');
  }
  const to = number.display ?? number.to;
  const whom = number.contact === null ? to : `${number.contact.name}, ${to}`;
  const first = number.first_time ? ' No fax was sent to this number before.' : '';
  return inputRequired({
    inputRequests: {
      [CONFIRM]: inputRequired.elicit({
        message: `Send ${document.name} (${sizeOf(document.content)}) to ${whom}?${first}`,
        requestedSchema: z.object({ send: z.boolean().meta({ title: 'Send this fax' }) }),
      }),
    },
  });
}

async function documentOf(
  { readFile }: ToolParts,
  { fileContent: content, filePath: path, fileName }: SendInput,
): Promise<Document> {
  if ((content === undefined) === (path === undefined))
    throw new ToolRefusedError('Give the document either as fileContent or as filePath.');
  if (path !== undefined && readFile !== null) {
    const file = await readFile(path);
    return { ...file, name: fileName ?? file.name };
  }
  const bytes = decodeBase64(content ?? '');
  return { name: fileName ?? nameFor(bytes), content: bytes };
}

/** Decodes base64, also of URLs and in lines. Throws for anything else, such as an address. */
function decodeBase64(text: string): Buffer {
  const plain = text.replaceAll(/\s/gu, '');
  const isBase64 = /^[\w+/-]*={0,2}$/u.test(plain);
  const bytes = Buffer.from(isBase64 ? plain : '', 'base64');
  if (bytes.length === 0)
    throw new ToolRefusedError(
      'fileContent has to be the document itself in base64. Nothing is fetched from an address.',
    );
  return bytes;
}

/** Returns a name with the extension of the content, which the gateway compares with it. */
function nameFor(content: Buffer): string {
  const type = typeBySignature(content.subarray(0, 1024).toString('latin1')) ?? 'text/plain';
  return `document${isDocumentType(type) ? DOCUMENT_TYPE_TABLE[type].extensions[0] : ''}`;
}

async function normalized(client: Client, to: string): Promise<string> {
  return (await client.outbound.checkNumber({ query: { to } })).to ?? to;
}

/** Names the fax after number and content, so that a repeated call is one fax. */
function operationOf(to: string, { content }: Document): string {
  return `assistant-${sha256Hex(`${to}\n${sha256Hex(content)}`).slice(0, 40)}`;
}

function sizeOf({ length }: Buffer): string {
  if (length < 1024) return `${length} bytes`;
  const kilobytes = length / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** Returns the fields that are given. */
function definedOf(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
