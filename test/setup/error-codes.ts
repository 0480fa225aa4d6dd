import { afterEach, expect } from 'vitest';
import { keepConnectionsBriefly } from './kept-connections.ts';

keepConnectionsBriefly();

/**
 * Watches every answer of a gateway in the whole test run: an error has an existing code with its status, and one that
 * the description of its route lists. Other servers of the tests lack one of its headers and are ignored.
 */
const problems: string[] = [];

/** The fetch of Node: a process that runs several files of tests watches it anew for each. */
const PLAIN = Symbol.for('fetch that nobody watches');
const kept = globalThis as { [PLAIN]?: typeof fetch };
kept[PLAIN] ??= globalThis.fetch;
const plainFetch = kept[PLAIN];
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const isOfGateway = ['X-Request-Id', 'X-Content-Type-Options'].every((name) => response.headers.has(name));
  if (response.status >= 400 && isOfGateway) {
    // Most files of tests meet no refusal and need not load every route.
    const { findCodeProblem } = await import('./documented-codes.ts');
    const request = new Request(input, { method: init?.method ?? 'GET' });
    const problem = findCodeProblem(
      { method: request.method, path: new URL(request.url).pathname },
      response,
    );
    if (problem !== null) problems.push(problem);
  }
  return response;
};

afterEach(() => {
  expect(problems.splice(0)).toEqual([]);
});
