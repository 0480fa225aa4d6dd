import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckOrder, CheckResult } from './check-messages.ts';
import { openSqlite } from './sqlite-file.ts';

// The entry of the process, or thread, in which a database is checked: reading all of it takes seconds, which no request waits for.

/** More would not help anybody. */
const MAX_FINDINGS = 5;
/** Each page is read once, so keeping many is of no use. KiB. */
const CACHE_KIB = 2048;

if (parentPort) parentPort.postMessage(check(workerData as CheckOrder));
else {
  lowerPriority();
  process.send?.(check(JSON.parse(process.argv[2] ?? '{}') as CheckOrder));
}

/** Whoever waits for an answer comes first. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Not every system lets a program do that.
  }
}

/** Table by table, each of which reads the database as it is by then: so its log can be emptied in between. */
function check({ file, kind, stop }: CheckOrder): CheckResult {
  try {
    const connection = openSqlite(file, { readonly: true });
    try {
      connection.pragma(`cache_size = -${CACHE_KIB}`);
      const pragma = kind === 'full' ? 'integrity_check' : 'quick_check';
      const named = connection.prepare("select name from sqlite_schema where type = 'table'").pluck();
      for (const table of ['sqlite_schema', ...(named.all() as string[])]) {
        if (stop && Atomics.load(stop, 0) === 1) return { state: 'stopped' };
        const quoted = `'${table.replaceAll("'", "''")}'`;
        const found = connection.prepare(`select * from pragma_${pragma}(${quoted})`).pluck().all();
        if (found.length !== 1 || found[0] !== 'ok')
          return { state: 'damaged', findings: found.slice(0, MAX_FINDINGS).map(String) };
      }
      return { state: 'sound' };
    } finally {
      connection.close();
    }
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    return { state: 'unread', code, message };
  }
}
