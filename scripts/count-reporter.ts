import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { SerializedError, TestError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/** Totals of one test run; written as JSON to the file named by FAXDESK_TEST_REPORT. */
export interface TestReport {
  passed: number;
  failed: number;
  /** Each that failed, with the first line of why and the line of the test, of every try. */
  failures: { test: string; reason: string }[];
  skipped: { test: string; reason: string }[];
  /** Those that passed only when they were tried again, with why they had failed. */
  repeated: { test: string; reason: string }[];
  /** Seconds that each test file took, rounded, by its path in the repository. */
  seconds: Record<string, number>;
}

export function emptyReport(): TestReport {
  return { passed: 0, failed: 0, failures: [], skipped: [], repeated: [], seconds: {} };
}

/** Counts tests, and as failed ones also files that could not be loaded and errors outside of tests. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const report: TestReport = { ...emptyReport(), failed: unhandled.length };
    for (const error of unhandled)
      report.failures.push({ test: 'outside of tests', reason: wholeReason(error) });
    for (const module of modules) {
      countModule(module, report);
      const { duration, setupDuration, collectDuration } = module.diagnostic();
      report.seconds[module.relativeModuleId] = Math.round(
        (duration + setupDuration + collectDuration) / 1000,
      );
    }
    const file = process.env['FAXDESK_TEST_REPORT'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(report));
  }
}

function countModule(module: TestModule, report: TestReport): void {
  let failed = 0;
  for (const test of module.children.allTests()) {
    const result = test.result();
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    if (result.state === 'passed' && test.diagnostic()?.flaky)
      report.repeated.push({ test: name, reason: (result.errors ?? []).map(reasonOf).join('; then: ') });
    if (result.state === 'passed') report.passed += 1;
    else if (result.state === 'failed') {
      failed += 1;
      report.failures.push({ test: name, reason: result.errors.map(reasonOf).join('; then: ') });
    } else {
      const reason =
        (result.state === 'skipped' ? result.note : undefined) ?? 'its condition is not met here';
      report.skipped.push({ test: name, reason });
    }
  }
  const broken = failed === 0 && module.state() === 'failed';
  if (broken) report.failures.push({ test: module.relativeModuleId, reason: firstLine(module.errors()[0]) });
  report.failed += broken ? 1 : failed;
}

/** The first line of what went wrong, and where in the tests, from the line that failed to that of the test. */
function reasonOf(error: SerializedError | TestError): string {
  const places = ('stacks' in error ? (error.stacks ?? []) : [])
    .filter(({ file }) => /[\\/]test[\\/]/u.test(file))
    .map(({ file, line }) => `${basename(file)}:${line}`);
  const found = firstLine(error);
  return places.length === 0 ? found : `${found} (${places.join(' < ')})`;
}

/** All of an error that no test line leads to: its message, its stack and the file that ran, on one line. */
function wholeReason(error: unknown): string {
  const { stack, VITEST_TEST_PATH: file } = (error instanceof Object ? error : {}) as Record<string, unknown>;
  return [messageOf(error), stack, file]
    .filter((part) => typeof part === 'string')
    .join(' | ')
    .replaceAll(/\s*\n\s*/gu, ' ');
}

const firstLine = (error: unknown): string => messageOf(error).split('\n', 1)[0] ?? '';

const messageOf = (error: unknown): string =>
  error instanceof Object && 'message' in error ? String(error.message) : String(error);
