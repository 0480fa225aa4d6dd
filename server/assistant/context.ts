import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ASSISTANT_HEADER, assistantName } from '../../shared/assistant.ts';
import { type Client, createClient } from '../../shared/client/index.ts';

/** Connection of an assistant to the API of the gateway, with the key of its user. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

/** Reads a file that an assistant names; null where it cannot name files. */
export type ReadNamedFile = (path: string) => Promise<{ readonly name: string; readonly content: Buffer }>;

/** Dependencies of the tools. */
export interface ToolParts {
  readonly server: McpServer;
  readonly connection: Connection;
  readonly readFile: ReadNamedFile | null;
}

/** Name in requests for a program that gives none. */
const UNNAMED = 'unnamed';

/** Creates the client of one call, whose requests name the program of the assistant. */
export function clientFor(
  { server, connection }: ToolParts,
  ctx: ServerContext,
  onResponse: (response: Response) => void = () => undefined,
): Client {
  const name = programName(server, ctx);
  return createClient({
    ...connection,
    async fetch(address, init) {
      const headers = new Headers(init?.headers);
      headers.set(ASSISTANT_HEADER, name);
      const response = await connection.fetch(address, { ...init, headers });
      onResponse(response);
      return response;
    },
  });
}

/** Returns true when the program can show a person a question with a form. */
export function canConfirm(server: McpServer, ctx: ServerContext): boolean {
  const { elicitation } = (envelopeOf(ctx, CLIENT_CAPABILITIES_META_KEY) ??
    server.server.getClientCapabilities() ??
    {}) as { elicitation?: { form?: unknown; url?: unknown } };
  if (elicitation === undefined) return false;
  // An empty capability means forms.
  return elicitation.form !== undefined || elicitation.url === undefined;
}

function programName(server: McpServer, ctx: ServerContext): string {
  const info = envelopeOf(ctx, CLIENT_INFO_META_KEY) ?? server.server.getClientVersion();
  const name = typeof info === 'object' && 'name' in info ? info.name : null;
  return assistantName(name) ?? UNNAMED;
}

function envelopeOf(ctx: ServerContext, key: string): unknown {
  return (ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[key];
}
