import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { TERMINAL_END_KINDS } from '../states/terminal.ts';
import { defineRoute } from './route.ts';
import { Id } from './values.ts';

const room = 'terminal';
const access = 'host:terminal';
const badBody = 'sentence';

const TerminalParams = z.strictObject({ terminal_id: Id.describe('id of the terminal') });
const sizeFields = {
  columns: z.number().int().min(20).max(500).describe('characters in a line'),
  rows: z.number().int().min(5).max(300).describe('lines on the screen'),
};
const done = {
  status: 200,
  schema: z.strictObject({ ok: z.literal(true).describe('always true') }),
} as const;

/** Data of the event `end`, the last one of a terminal. */
export const TerminalEnded = z.strictObject({ reason: z.enum(TERMINAL_END_KINDS) });

export const terminalRoutes = {
  open: defineRoute({
    id: 'openTerminal',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/console/terminals',
    summary: 'Open a console terminal: the command line of Faxdesk, for the person who is signed in',
    description:
      'For people who signed in with a password or a passkey. Its commands have the permissions of the person at each moment, and no file of the gateway’s computer. It ends with the session, with the permission, without input for 15 minutes, and when nobody reads its output for a while.',
    access,
    audited: { operation: 'terminal.open', target: 'terminal' },
    badBody,
    body: z.strictObject(sizeFields),
    answer: {
      status: 201,
      schema: z.strictObject({ id: Id.describe('id of the terminal') }).meta({ id: 'OpenedTerminal' }),
    },
    refusals: ['password_session_needed', 'terminal_off', 'too_many_terminals', 'stopping'],
  }),
  output: defineRoute({
    id: 'streamTerminalOutput',
    room,
    onlyConsole: true,
    method: 'GET',
    path: '/console/terminals/:terminal_id/output',
    summary: 'Stream the output of a terminal (server-sent events)',
    description:
      'Each message has a number as its id, and JSON `{text}` as its data: text with control sequences as xterm understands them. `Last-Event-ID`, or `after`, resumes after a message. The last event is `end` with `{reason}`. About every two seconds there is a `: ping` comment. Another stream of the same terminal ends this one.',
    access,
    passive: true,
    params: TerminalParams,
    query: z.strictObject({
      after: z
        .string()
        .regex(/^\d{1,12}$/u)
        .optional()
        .describe('id of the last message received'),
    }),
    headers: { 'Last-Event-ID': 'id of the last message received' },
    answer: { status: 200, contentType: 'text/event-stream' },
    refusals: ['no_such_terminal'],
  }),
  input: defineRoute({
    id: 'sendTerminalInput',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/console/terminals/:terminal_id/input',
    summary: 'Send typed text to a terminal',
    access,
    badBody,
    params: TerminalParams,
    body: z.strictObject({
      number: z.number().int().min(1).describe('1, 2, 3 …; a number that was received before is ignored'),
      text: z.string().max(LIMITS.terminalInputLength).describe('text with the control characters of keys'),
    }),
    answer: done,
    refusals: ['no_such_terminal'],
  }),
  resize: defineRoute({
    id: 'changeTerminalSize',
    room,
    onlyConsole: true,
    method: 'POST',
    path: '/console/terminals/:terminal_id/size',
    summary: 'Change the size of a terminal',
    access,
    badBody,
    params: TerminalParams,
    body: z.strictObject(sizeFields),
    answer: done,
    refusals: ['no_such_terminal'],
  }),
  close: defineRoute({
    id: 'endTerminal',
    room,
    onlyConsole: true,
    method: 'DELETE',
    path: '/console/terminals/:terminal_id',
    summary: 'Close a terminal; what it runs is ended',
    access,
    params: TerminalParams,
    answer: done,
    refusals: ['no_such_terminal'],
  }),
} as const;
