import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createAssistantServer } from './assistant-server.ts';

/** Base64 and the quotes of JSON around a document. */
const GROWTH = 1.4;

/** Serves an assistant on standard input and output until the input ends. `maxFileBytes` limits a document in a message. */
export async function serveAssistant(
  parts: Parameters<typeof createAssistantServer>[0] & { readonly maxFileBytes: number },
): Promise<void> {
  const maxBufferSize = Math.ceil(parts.maxFileBytes * GROWTH);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  const handle = serveStdio(() => createAssistantServer(parts), { transport });
  await ended;
  await handle.close();
}
