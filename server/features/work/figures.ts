import { setImmediate } from 'node:timers/promises';
import { epochOf } from '../../platform/clock.ts';
import type { FiledItem, Owned } from './store/statistics-store.ts';
import { isLapsed } from './work-state.ts';

/** Result of an item against its due time. */
type TargetResult = 'in_time' | 'late' | 'awaited' | 'without_target';

/** Counts of all items, of a mailbox or of a person. */
class Figures {
  readonly #results: Record<TargetResult, number> = { in_time: 0, late: 0, awaited: 0, without_target: 0 };
  readonly #acknowledged: number[] = [];
  readonly #done: number[] = [];
  readonly open = { open_now: 0, overdue_now: 0 };

  addResult(result: TargetResult): void {
    this.#results[result] += 1;
  }

  acknowledged(seconds: number): void {
    this.#acknowledged.push(seconds);
  }

  done(seconds: number): void {
    this.#done.push(seconds);
  }

  /** Returns the counts that belong to documents alone, regardless of people. */
  documents(): { received: number; awaited: number; without_target: number } {
    const { in_time, late, awaited, without_target } = this.#results;
    return { received: in_time + late + awaited + without_target, awaited, without_target };
  }

  async read() {
    const { in_time, late } = this.#results;
    return {
      in_time,
      late,
      acknowledged: this.#acknowledged.length,
      median_acknowledge_seconds: await medianOf(this.#acknowledged),
      done: this.#done.length,
      median_done_seconds: await medianOf(this.#done),
      ...this.open,
    };
  }
}

/** Counts items one by one. `now` is ISO 8601 UTC. */
export function createTally(now: string): Tally {
  return new Tally(now);
}

export type { Tally };

class Tally {
  readonly all = new Figures();
  /** By id; empty for no mailbox. */
  readonly mailboxes = new Map<string, Figures>();
  /** Figures by id; `NOBODY` for items without an owner. */
  readonly people = new Map<string, Figures>();
  readonly #now: string;

  constructor(now: string) {
    this.#now = now;
  }

  addFiled(item: FiledItem): void {
    const totals = [this.all, figuresOf(this.mailboxes, item.mailbox_id ?? '')];
    const targetResult = targetResultOf(item, this.#now);
    for (const figures of totals) figures.addResult(targetResult);
    const by = item.acknowledged_by ?? item.done_by;
    // An item that was late when it was given to the backup person does not count as late for them.
    if (by !== null && by !== item.escalated_to) figuresOf(this.people, by).addResult(targetResult);
    const filed = epochOf(item.available_at);
    const secondsUntil = (at: string) => Math.max(0, Math.round((epochOf(at) - filed) / 1000));
    if (item.acknowledged_by !== null && item.acknowledged_at !== null) {
      const seconds = secondsUntil(item.acknowledged_at);
      for (const figures of [...totals, figuresOf(this.people, item.acknowledged_by)])
        figures.acknowledged(seconds);
    }
    if (item.done_by !== null && item.done_at !== null) {
      const seconds = secondsUntil(item.done_at);
      for (const figures of [...totals, figuresOf(this.people, item.done_by)]) figures.done(seconds);
    }
  }

  addOpen({ mailboxId, ownerId, count }: Owned, figure: keyof Figures['open']): void {
    for (const figures of [
      this.all,
      figuresOf(this.mailboxes, mailboxId ?? ''),
      figuresOf(this.people, ownerId),
    ])
      figures.open[figure] += count;
  }
}

function figuresOf(groups: Map<string, Figures>, id: string): Figures {
  const known = groups.get(id) ?? new Figures();
  groups.set(id, known);
  return known;
}

function targetResultOf(item: FiledItem, now: string): TargetResult {
  if (item.due_at === null) return 'without_target';
  if (item.missed_at !== null || isLapsed(item, now)) return 'late';
  return item.awaited_until === null ? 'in_time' : 'awaited';
}

/** The middle one, or of two in the middle what lies between them, in whole seconds. Sorting many takes a while. */
async function medianOf(seconds: readonly number[]): Promise<number | null> {
  if (seconds.length === 0) return null;
  const sorted = Uint32Array.from(seconds).sort();
  await setImmediate();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2);
}
