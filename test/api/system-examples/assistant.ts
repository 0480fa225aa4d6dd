import type { Examples } from './examples.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'desk-helper', version: '1' },
  },
};
const ACCEPT = { Accept: 'application/json, text/event-stream' };

/** Sessions of assistants, in the present transport and in the older one. */
export async function callAssistantSessions(x: Examples): Promise<void> {
  const begun = await x.gateway.request('POST', '/mcp', { json: INITIALIZE, headers: ACCEPT });
  const id = begun.headers.get('Mcp-Session-Id') ?? '';
  await begun.text();
  const headers = { 'Mcp-Session-Id': id };
  await x.call('listenToAssistantSession', { headers: { ...ACCEPT, ...headers } });
  await x.call('endAssistantSession', { headers });
  const opened: Response[] = [];
  await x.call('openAssistantEvents', { keepOpen: (stream) => opened.push(stream) });
  const reader = opened[0]?.body?.getReader();
  // The first event names the address of the session.
  const first = new TextDecoder().decode((await reader?.read())?.value);
  const sessionId = /sessionId=([\w-]+)/u.exec(first)?.[1] ?? '';
  await x.call('sendAssistantEventMessage', { query: { sessionId }, json: INITIALIZE });
  await reader?.cancel();
}
