import type { QueryKey } from '@tanstack/react-query';
import { readAgain } from './newest.ts';
import { queryClient } from './queries.ts';

/** Several changes that follow each other are read at once, after what a person waits for. */
const DELAY_MS = 150;

const due = new Map<string, QueryKey>();

/** Reads counts and overviews again, shortly after the first of several changes. */
export function readSoon(queryKey: QueryKey): void {
  if (due.size === 0) setTimeout(readDue, DELAY_MS);
  due.set(JSON.stringify(queryKey), queryKey);
}

function readDue(): void {
  const keys = [...due.values()];
  due.clear();
  for (const queryKey of keys) readAgain(queryClient, { queryKey });
}
