import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { ConsoleStatus } from '../../../shared/api/console.ts';
import { client } from '../../api/client.ts';

export type Status = z.infer<typeof ConsoleStatus>;

const POLL_EVERY_MS = 15_000;

/** Health, storage and work of the gateway, as of now. */
export const statusQuery = queryOptions({
  queryKey: ['system', 'status'],
  queryFn: ({ signal }) => client.console.status({ signal }),
  staleTime: 0,
  refetchInterval: POLL_EVERY_MS,
});
