import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { z } from 'zod';
import type { LOG_LEVELS, LogLine as LogLineAnswer } from '../../../shared/api/console.ts';
import { client } from '../../api/client.ts';

export type LogLine = z.infer<typeof LogLineAnswer>;
export type LogLevel = (typeof LOG_LEVELS)[number];

const AT_ONCE = 100;

/** The log from its end backwards, as far as it was scrolled. */
export function useLogLines(level: LogLevel, text: string) {
  const q = useDeferredValue(text.trim());
  const log = useInfiniteQuery({
    queryKey: ['system', 'log', level, q],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      client.console.logs({
        query: { level, limit: AT_ONCE, ...(q ? { q } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  return { ...log, lines: log.data?.pages.flatMap((page) => page.items) ?? [] };
}
