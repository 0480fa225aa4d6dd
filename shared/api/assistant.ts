import { z } from 'zod';
import { CONFIRMATIONS } from '../assistant.ts';
import { DEPRECATIONS } from '../deprecations.ts';
import { defineRoute } from './route.ts';

const room = 'assistant';
const from = 'assistant';
const access = 'signed-in';

/** Refusals of every address of the protocol. */
const REFUSED = ['key_needed', 'assistant_off'] as const;
const SESSION = ['no_such_assistant_session', 'too_many_assistant_sessions'] as const;
const MESSAGE = ['protocol_refused', 'too_large', 'json_expected', 'unreadable_request'] as const;

const SessionHeader = {
  'Mcp-Session-Id':
    'session of a client of a revision before 2026-07-28, as the answer to `initialize` named it',
};
const Message = z
  .record(z.string(), z.unknown())
  .describe('JSON-RPC message, or a list of them')
  .meta({ id: 'AssistantMessage' });

export const assistantRoutes = {
  rules: defineRoute({
    id: 'getAssistantRules',
    room,
    method: 'GET',
    path: '/mcp/rules',
    summary: 'Get the rules for assistants',
    access,
    answer: {
      status: 200,
      schema: z
        .strictObject({
          confirm: z
            .enum(CONFIRMATIONS)
            .describe(
              'when a fax needs confirmation, where the program of the assistant can show a question',
            ),
          may_send: z.boolean().describe('true if the caller may send faxes'),
        })
        .meta({ id: 'AssistantRules' }),
    },
    refusals: ['assistant_off'],
  }),
} as const;

/** Addresses of the protocol itself, whose messages only its own clients read. */
export const assistantProtocolRoutes = {
  message: defineRoute({
    id: 'sendAssistantMessage',
    room,
    method: 'POST',
    path: '/mcp',
    summary: 'Send a message of the Model Context Protocol (Streamable HTTP)',
    description:
      'For assistants: revision 2026-07-28, and 2025 clients with a session. The answer is JSON or a stream of events. Every tool has the permissions of the key.',
    access,
    from,
    headers: SessionHeader,
    rawBody: { json: Message },
    answer: { status: 200, contentType: 'application/json' },
    refusals: [...REFUSED, ...MESSAGE, ...SESSION, 'media_type_refused'],
  }),
  listen: defineRoute({
    id: 'listenToAssistantSession',
    room,
    method: 'GET',
    path: '/mcp',
    summary: 'Receive the messages of a session of the Model Context Protocol',
    access,
    from,
    headers: SessionHeader,
    answer: { status: 200, contentType: 'text/event-stream' },
    refusals: [...REFUSED, ...MESSAGE, ...SESSION, 'media_type_refused', 'session_listened'],
  }),
  end: defineRoute({
    id: 'endAssistantSession',
    room,
    method: 'DELETE',
    path: '/mcp',
    summary: 'End a session of the Model Context Protocol',
    access,
    from,
    headers: SessionHeader,
    answer: { status: 200, contentType: 'application/json' },
    refusals: [...REFUSED, ...MESSAGE, ...SESSION],
  }),
} as const;

/** The transport of clients before 2025-03-26. */
export const assistantEventRoutes = {
  open: defineRoute({
    id: 'openAssistantEvents',
    room,
    method: 'GET',
    path: '/mcp/sse',
    summary: 'Open a session of the Model Context Protocol over server-sent events',
    access,
    from,
    answer: { status: 200, contentType: 'text/event-stream' },
    refusals: [...REFUSED, 'too_many_assistant_sessions'],
    deprecated: DEPRECATIONS.assistant_events,
  }),
  message: defineRoute({
    id: 'sendAssistantEventMessage',
    room,
    method: 'POST',
    path: '/mcp/messages',
    summary: 'Send a message to a session over server-sent events',
    access,
    from,
    query: z.strictObject({ sessionId: z.string().min(1).max(100) }),
    rawBody: { json: Message },
    answer: { status: 202, contentType: 'text/plain' },
    refusals: [...REFUSED, ...MESSAGE, 'no_such_assistant_session'],
    deprecated: DEPRECATIONS.assistant_events,
  }),
} as const;
