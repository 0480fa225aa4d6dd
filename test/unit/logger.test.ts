import { expect, it } from 'vitest';
import { createLogger } from '../../server/platform/logger.ts';

/** The line that is logged, as it is read again. */
function logged(facts: object): Record<string, unknown> {
  const lines: string[] = [];
  createLogger({ write: (line) => lines.push(line) }).info(facts, 'a message');
  expect(lines).toHaveLength(1);
  const { level, time, msg, ...rest } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  expect([level, typeof time, msg]).toEqual(['info', 'string', 'a message']);
  return rest;
}

it('removes secrets by their name, at the top and two levels below', () => {
  const given = {
    token: 'a',
    job_id: '1',
    request: { cookie: 'b', path: '/fax', parts: { password: { text: 'c' }, size: 3 } },
    list: [{ secret: 'd', name: 'x' }, 'plain', null],
  };
  const before = structuredClone(given);
  expect(logged(given)).toEqual({
    token: '[removed]',
    job_id: '1',
    request: { cookie: '[removed]', path: '/fax', parts: { password: '[removed]', size: 3 } },
    list: [{ secret: '[removed]', name: 'x' }, 'plain', null],
  });
  expect(given).toEqual(before);
});

it.each([
  'password',
  'token',
  'secret',
  'api_key',
  'apiKey',
  'apiSecret',
  'callbackToken',
  'authorization',
  'cookie',
  'content',
  'body',
])('removes %s, whatever its value is', (name) => {
  for (const value of ['text', 1, null, ['text'], { of: 'text' }]) {
    expect(logged({ [name]: value })).toEqual({ [name]: '[removed]' });
    expect(logged({ one: { [name]: value } })).toEqual({ one: { [name]: '[removed]' } });
    expect(logged({ one: { two: { [name]: value } } })).toEqual({ one: { two: { [name]: '[removed]' } } });
  }
});

it('keeps names, times and texts as they are', () => {
  const at = new Date(0);
  expect(logged({ at, tokens: 2, body_bytes: 5, none: undefined, text: 'token' })).toEqual({
    at: at.toISOString(),
    tokens: 2,
    body_bytes: 5,
    text: 'token',
  });
});

it('describes an error and its cause, and nothing else that they bear', () => {
  const cause = new Error('the cause');
  const error = Object.assign(new Error('failed', { cause }), { code: 'ENOSPC', token: 'a', detail: 'b' });
  expect(logged({ error })).toEqual({
    error: {
      name: 'Error',
      message: 'failed',
      code: 'ENOSPC',
      stack: error.stack,
      cause: { name: 'Error', message: 'the cause', stack: cause.stack },
    },
  });
});
