/** Times that the input grows. */
const GROWTH_FACTOR = 4;
/** Work by the square of the input would grow by 16. */
const MAX_GROWTH = 10;
/** Below it, what else the thread does counts for more than the input. Microseconds. */
const MIN_US = 10_000;
/** Of so many times the reference others would notice that they wait. */
const MAX_REFERENCES = 12;
/** On a busy computer the same work costs more now and then; the least counts. */
const ROUNDS = 4;

export type Work = () => unknown;

/** Measures the processor time of this thread for it, in microseconds: other processes do not count, however busy the computer is. */
async function costOf(work: Work): Promise<number> {
  const before = process.threadCpuUsage();
  try {
    await work();
  } catch {
    // A refusal is as good an end.
  }
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(user + system, MIN_US);
}

/** As much as it costs to answer a list of some thousand rows: 15 ms on a usual computer. */
function reference(): unknown {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: `row-${at}`, text: 'x'.repeat(20), at }));
  return JSON.parse(JSON.stringify(rows));
}

/**
 * Returns the growth of the work of a reader with an input of which only the size differs, from a quarter to the whole: `linear`, or
 * what it costs.
 */
export async function growthOf(workOn: (size: number) => Work, size: number): Promise<string> {
  return ratioOf(workOn(size / GROWTH_FACTOR), workOn(size), { most: MAX_GROWTH, within: 'linear' });
}

/** Returns `short` when the work is little enough to be done while others wait, else its cost. */
export async function classifyCost(work: Work): Promise<string> {
  return ratioOf(reference, work, { most: MAX_REFERENCES, within: 'short' });
}

async function ratioOf(
  less: Work,
  more: Work,
  { most, within }: { most: number; within: string },
): Promise<string> {
  const costs = { less: Number.POSITIVE_INFINITY, more: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1) {
    costs.less = Math.min(costs.less, await costOf(less));
    costs.more = Math.min(costs.more, await costOf(more));
    if (costs.more < most * costs.less) return within;
  }
  return `${costs.more} µs against ${costs.less} µs`;
}
