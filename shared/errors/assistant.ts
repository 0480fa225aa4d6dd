import type { ErrorTable } from './error-table.ts';

/** The assistant protocol. */
export const assistantErrors = {
  key_needed: {
    status: 401,
    sentence: 'Send an API key. Assistants cannot use the session of a browser.',
  },
  assistant_off: { status: 404, sentence: 'Assistants are turned off in Settings.' },
  no_such_assistant_session: {
    status: 404,
    sentence: 'That session has ended. Begin a new one.',
  },
  too_many_assistant_sessions: {
    status: 429,
    sentence: 'This key has too many open sessions. End one and try again.',
  },
  session_listened: { status: 409, sentence: 'That session already has an open stream.' },
  media_type_refused: {
    status: 406,
    sentence: 'Accept both application/json and text/event-stream.',
  },
  protocol_refused: {
    status: 400,
    meaning:
      'The message does not follow the Model Context Protocol. On its addresses the body is a JSON-RPC error in place of `detail`.',
  },
} as const satisfies ErrorTable;
