interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread, microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export const FRAME_CATEGORIES = [
  '-*',
  'cc',
  'benchmark',
  'toplevel',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
];

export interface Frames {
  /** Work of the page's main thread for each of its frames, milliseconds of processor time. */
  readonly work: readonly number[];
  /** From one drawn frame to the next, milliseconds of the clock. */
  readonly intervals: readonly number[];
}

/** The frames of the page in a trace of Chromium. */
export function framesOf(trace: Buffer): Frames {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = mainThread(traceEvents);
  const own = traceEvents.filter((event) => event.pid === main.pid);
  const tasks = own.filter((event) => event.tid === main.tid && event.name === 'RunTask');
  const begins = timesOf(
    own.filter((event) => event.tid === main.tid && event.name === 'ProxyMain::BeginMainFrame'),
  );
  const draws = timesOf(own.filter((event) => event.name === 'DrawFrame'));
  return {
    work: begins.slice(1).map((end, index) => workBetween(tasks, begins[index] ?? 0, end)),
    intervals: draws.slice(1).map((time, index) => (time - (draws[index] ?? 0)) / 1000),
  };
}

/** Of the renderer that drew most: the browser has others. */
function mainThread(events: readonly TraceEvent[]): { pid: number; tid: number } {
  const mains = events.filter(
    (event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain',
  );
  const framesIn = ({ pid, tid }: TraceEvent) =>
    events.filter((event) => event.pid === pid && event.tid === tid && event.name === 'RunTask').length;
  const busiest = mains.toSorted((a, b) => framesIn(b) - framesIn(a))[0];
  if (!busiest) throw new Error('the trace has no page');
  return busiest;
}

const timesOf = (events: readonly TraceEvent[]) => events.map(({ ts }) => ts).toSorted((a, b) => a - b);

function workBetween(tasks: readonly TraceEvent[], from: number, to: number): number {
  const inside = tasks.filter(({ ts }) => ts >= from && ts < to);
  return inside.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
}

/** The value that the given part of all stay below. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
