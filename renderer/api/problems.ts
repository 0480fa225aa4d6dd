import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';
import { ApiError } from './sentence.ts';

const POLL_EVERY_MS = 60_000;

/** Reasons why no faxes can be accepted at present, as sentences. */
export const problemsQuery = queryOptions({
  queryKey: ['problems'],
  queryFn: async ({ signal }) => {
    try {
      return (await client.system.ready({ signal })).problems;
    } catch (error) {
      if (error instanceof ApiError && error.is('not_ready')) return problemsIn(error.body);
      throw error;
    }
  },
  // Most of them come and go with an event; a folder that refuses to be written to does not.
  refetchInterval: POLL_EVERY_MS,
  // The state of the connection reports a gateway that does not respond.
  retry: false,
});

function problemsIn(body: unknown): readonly string[] {
  const { problems } = (body ?? {}) as { problems?: unknown };
  return Array.isArray(problems) ? problems.filter((problem) => typeof problem === 'string') : [];
}
