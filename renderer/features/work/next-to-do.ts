import type { WorkList } from './use-work-list.ts';

/** The next row after `from` with something left to do, without those in `without`; undefined where there is none. */
export function nextToDo(list: WorkList, from: number, without: readonly string[]): number | undefined {
  for (let index = from + 1; ; index += 1) {
    const item = list.at(index);
    if (item === undefined) return undefined;
    if (item.state !== 'done' && !without.includes(item.id)) return index;
  }
}
