import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestReport } from './count-reporter.ts';
import { ROOT, runStep, STATIC_CHECKS } from './steps.ts';

// `npm test` runs everything; `npm test -- <filter>` only the tests whose file name matches. The last line is the
// count; each static check counts as one test.
const WORKERS = 3;
/** Every test file, worker thread and gateway of a run loads the same modules: they are compiled once. */
const CODE_CACHE = join(ROOT, 'node_modules/.cache/tests');

const filters = process.argv.slice(2);
const total: TestReport = { passed: 0, failed: 0, skipped: [], repeated: [] };

if (filters.length > 0) add(await runTests('tests', filters));
else {
  for (const check of STATIC_CHECKS) {
    if (await runStep(check)) total.passed += 1;
    else total.failed += 1;
  }
  const inWindows = ['test/browser/', 'test/desktop/'];
  const others = inWindows.map((folder) => `--exclude=${folder}**`);
  // Most of them wait for a disk or another process, so one more than there are cores at the least.
  add(await runTests('tests', [...others, `--maxWorkers=${WORKERS}`]));
  // A browser on a busy machine may be late once; tests that needed a second try are named below.
  add(await runTests('tests in the browser and the window', [...inWindows, '--retry=1']));
}

for (const test of total.repeated) console.log(`passed at the second try: ${test}`);
for (const { test, reason } of total.skipped) console.log(`skipped: ${test}: ${reason}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

async function runTests(name: string, args: string[]): Promise<TestReport> {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-run-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.ts'];
  const step = { name, script: 'vitest/vitest.mjs', args: ['run', ...reporters, ...args] };
  const succeeded = await runStep(step, { FAXDESK_TEST_REPORT: file, NODE_COMPILE_CACHE: CODE_CACHE });
  const report = readReport(file) ?? { passed: 0, failed: 1, skipped: [], repeated: [] };
  rmSync(folder, { recursive: true });
  // Vitest may fail for a reason that is no test, such as a filter that matches nothing.
  return succeeded || report.failed > 0 ? report : { ...report, failed: 1 };
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
  total.skipped.push(...report.skipped);
  total.repeated.push(...report.repeated);
}
