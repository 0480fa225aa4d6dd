import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ROOT } from '../../scripts/steps.ts';

/** Transport and revision by which a client of the vendor connects. */
export const WAYS = [
  { transport: 'http', revision: '2026-07-28' },
  { transport: 'http', revision: '2025' },
  { transport: 'stdio', revision: '2026-07-28' },
  { transport: 'stdio', revision: '2025' },
  { transport: 'sse', revision: '2025' },
] as const;
export type Way = (typeof WAYS)[number];

/** Answer of a person to the question whether to send. */
type Answer = 'yes' | 'no' | 'dismiss';

export interface AssistantOptions {
  readonly way: Way;
  readonly url: string;
  readonly key: string;
  /** Answers of a person; without it the client cannot ask. */
  readonly confirm?: (question: string) => Answer;
  /** For stdio alone. */
  readonly folders?: readonly string[];
  /** The key comes in `X-API-Key` in place of `Authorization`. */
  readonly plainHeader?: boolean;
}

/** A client of the vendor's package, as the program of an assistant is one. */
export class Assistant {
  readonly client: Client;
  /** Output of the command on standard error. */
  readonly errors: string[] = [];

  private constructor(client: Client) {
    this.client = client;
  }

  static async connect(options: AssistantOptions): Promise<Assistant> {
    const { way, confirm } = options;
    const client = new Client(
      { name: 'desk-helper', version: '1.2.3' },
      {
        capabilities: confirm ? { elicitation: {} } : {},
        versionNegotiation: { mode: way.revision === '2025' ? 'legacy' : { pin: way.revision } },
      },
    );
    if (confirm)
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        const answer = confirm(params.message);
        if (answer === 'dismiss') return { action: 'cancel' };
        if (answer === 'no') return { action: 'decline' };
        return { action: 'accept', content: { send: true } };
      });
    const assistant = new Assistant(client);
    await client.connect(transportOf(options, assistant.errors));
    return assistant;
  }

  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  async call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    return await this.client.callTool({ name, arguments: args }, { timeout: 120_000 });
  }

  /** The facts of a call that must succeed. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async facts(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const result = await this.call(name, args);
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    return result.structuredContent;
  }

  /** The sentence of a call that must be refused. */
  async refusal(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const result = await this.call(name, args);
    if (!result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
    return result.content[0].text;
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

function transportOf({ way, url, key, folders = [], plainHeader }: AssistantOptions, errors: string[]) {
  const headers: Record<string, string> = plainHeader
    ? { 'X-API-Key': key }
    : { Authorization: `Bearer ${key}` };
  switch (way.transport) {
    case 'http':
      return new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
    case 'sse':
      return new SSEClientTransport(new URL('/mcp/sse', url), {
        requestInit: { headers },
        eventSourceInit: {
          fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers } }),
        },
      });
    case 'stdio': {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: ['server/faxdesk.mjs', 'assistant', ...folders.flatMap((folder) => ['--folder', folder])],
        cwd: ROOT,
        env: { PATH: process.env['PATH'] ?? '', FAXDESK_URL: url, FAXDESK_API_KEY: key },
        stderr: 'pipe',
      });
      transport.stderr?.on('data', (bytes: Buffer) => errors.push(bytes.toString()));
      return transport;
    }
  }
}
