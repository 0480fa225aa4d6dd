import { McpServer } from '@modelcontextprotocol/server';
import { registerContactTools } from './contact-tools.ts';
import type { Connection, ReadNamedFile } from './context.ts';
import { registerFaxTools } from './fax-tools.ts';
import { registerInboundTools } from './inbound-tools.ts';
import { registerSendTool } from './send-tool.ts';
import { registerWorkTools } from './work-tools.ts';

const INSTRUCTIONS = `Faxdesk sends and receives faxes for an office. Every tool does what the API key of its user may do.
A fax cannot be recalled: find the number with find_contact or ask for it, and never guess one. Accepted is not delivered:
only delivery_state "success" is. When it is not known if a fax arrived, a person decides; do not send it again.`;

/** Creates the server of one connection or request: the tools of an assistant over the API of the gateway. */
export function createAssistantServer(parts: {
  readonly connection: Connection;
  readonly readFile: ReadNamedFile | null;
  readonly release: string;
}): McpServer {
  const server = new McpServer(
    { name: 'faxdesk', title: 'Faxdesk', version: parts.release },
    { instructions: INSTRUCTIONS },
  );
  const tools = { server, ...parts };
  registerSendTool(tools);
  registerFaxTools(tools);
  registerInboundTools(tools);
  registerWorkTools(tools);
  registerContactTools(tools);
  return server;
}
