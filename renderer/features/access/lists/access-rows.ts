import type { List, Listed, ListPage, PageRequest } from '../../../api/lists/list.ts';
import { useList } from '../../../api/lists/use-list.ts';

export interface AccessPage<Row> extends ListPage<Row> {
  /** The security audit has none: nothing on it is changed. */
  readonly policy_version?: number;
}

interface AccessListOptions<Row> {
  /** After `access`, with which everything is read again after a change. */
  readonly key: readonly unknown[];
  /** Nothing is read while it is false. */
  readonly isOn?: boolean;
  /** Read to its end at once. */
  readonly isShort?: boolean;
  /** Reads it again so often, in milliseconds. */
  readonly intervalMs?: number | false;
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<AccessPage<Row>>;
}

export interface AccessRows<Row extends Listed> extends List<Row> {
  /** Of the page that was read first: what changed since then makes a change stale. */
  readonly policyVersion: number;
}

/**
 * Returns a list of Access, loaded page by page as far as the person scrolls. It has no events: a change reads it
 * again.
 */
export function useAccessRows<Row extends Listed>(options: AccessListOptions<Row>): AccessRows<Row> {
  const { pages, ...list } = useList<Row, AccessPage<Row>>({ ...options, key: ['access', ...options.key] });
  const versions = pages.map((page) => page.policy_version ?? Number.POSITIVE_INFINITY);
  return { ...list, policyVersion: Math.min(...versions) };
}
