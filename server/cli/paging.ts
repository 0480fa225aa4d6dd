import type { Command } from 'commander';

/** Options of a list that comes in parts. */
export interface PageOptions {
  readonly limit?: string;
  readonly cursor?: string;
}

export function addPagingOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'number of results, 1 to 200', '50')
    .option('--cursor <cursor>', 'cursor of the next page, from the previous page');
}

/** A list with how to see more of it. */
export function appendNextPage(list: string, { next_cursor }: { next_cursor: string | null }): string {
  return next_cursor === null ? list : `${list}\nMore with --cursor ${next_cursor}`;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
  readonly policy_version: number;
}

/** Reads a whole list. The policy version is that of its first part: what changed since is refused, not overwritten. */
export async function readAllPages<T>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<T>>,
): Promise<{ items: T[]; policy_version: number }> {
  const { items, next_cursor, policy_version } = await read({ limit: 200 });
  const all = [...items];
  for (let cursor = next_cursor; cursor !== null; ) {
    const page = await read({ limit: 200, cursor });
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return { items: all, policy_version };
}
