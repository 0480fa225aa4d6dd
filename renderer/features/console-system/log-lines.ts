import { useDeferredValue } from 'react';
import type { z } from 'zod';
import type { LOG_LEVELS, LogLine as LogLineAnswer } from '../../../shared/api/console.ts';
import { client } from '../../api/client.ts';
import type { ListPage } from '../../api/lists/list.ts';
import { useList } from '../../api/lists/use-list.ts';
import { onlySet } from '../../parts/lists/list-filter.ts';

export type LogLine = z.infer<typeof LogLineAnswer>;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The log from its end backwards, as far as it was scrolled. */
export function useLogLines(level: LogLevel, text: string) {
  const q = useDeferredValue(text.trim());
  return useList<LogLine, ListPage<LogLine>>({
    key: ['system', 'log', level, q],
    read: (page, signal) => client.console.logs({ query: { ...page, level, ...onlySet({ q }) }, signal }),
  });
}
