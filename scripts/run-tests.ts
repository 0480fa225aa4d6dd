import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyReport, type TestReport } from './count-reporter.ts';
import { ROOT, runChecks, runStep } from './steps.ts';

// `npm test` runs everything; `npm test -- <filter>` only the tests whose file name matches. The last line is the
// count; each static check counts as one test. `npm test -- --record-durations` runs everything and rewrites the
// durations by which test files are ordered.

/** Every test file, worker thread and gateway of a run loads the same modules: they are compiled once. */
const CODE_CACHE = join(ROOT, 'node_modules/.cache/tests');

const DURATIONS = join(ROOT, 'test/setup/durations.json');

const RECORD = '--record-durations';
const filters = process.argv.slice(2).filter((word) => word !== RECORD);
const total = emptyReport();

if (filters.length > 0) add(await runTests('tests', filters));
else {
  // Side by side: tests also wait, for a disk, a call or another process.
  const [checks, tests] = await Promise.all([runChecks({ atOnce: 1 }), runTests('tests', [])]);
  total.passed += checks.passed;
  for (const name of checks.failed) add(failedStep(name, 'it found something, see above'));
  add(tests);
}

if (process.argv.includes(RECORD)) recordDurations(total.seconds);
for (const { test, reason } of total.skipped) console.log(`skipped: ${test}: ${reason}`);
for (const { test, reason } of total.repeated) console.log(`passed at the second try: ${test}: ${reason}`);
for (const { test, reason } of total.failures) console.log(`failed: ${test}: ${reason}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

async function runTests(name: string, args: string[]): Promise<TestReport> {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-run-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.ts'];
  const step = { name, script: 'vitest/vitest.mjs', args: ['run', ...reporters, ...args] };
  const succeeded = await runStep(step, { FAXDESK_TEST_REPORT: file, NODE_COMPILE_CACHE: CODE_CACHE });
  const report = readReport(file) ?? failedStep(name, 'it ended without a report');
  rmSync(folder, { recursive: true });
  // Vitest may fail for a reason that is no test, such as a filter that matches nothing.
  if (!succeeded && report.failed === 0) add(failedStep(name, 'it failed without a failing test, see above'));
  return report;
}

function failedStep(test: string, reason: string): TestReport {
  return { ...emptyReport(), failed: 1, failures: [{ test, reason }] };
}

function readReport(file: string): TestReport | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestReport;
  } catch {
    return null;
  }
}

function add(report: TestReport): void {
  total.passed += report.passed;
  total.failed += report.failed;
  total.failures.push(...report.failures);
  total.skipped.push(...report.skipped);
  total.repeated.push(...report.repeated);
  Object.assign(total.seconds, report.seconds);
}

/** Files of less than two seconds are left out: their order does not matter. */
function recordDurations(seconds: Readonly<Record<string, number>>): void {
  const long = Object.entries(seconds).filter(([, each]) => each >= 2);
  const sorted = long.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
