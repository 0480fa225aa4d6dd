import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** What one run of the tests came to; written as JSON to the file named by FAXDESK_TEST_REPORT. */
export interface TestReport {
  passed: number;
  failed: number;
  skipped: { test: string; reason: string }[];
  /** Those that passed only when they were tried again. */
  repeated: string[];
}

/** Counts tests, and as failed ones also files that could not be loaded and errors outside of tests. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const report: TestReport = { passed: 0, failed: unhandled.length, skipped: [], repeated: [] };
    for (const module of modules) countModule(module, report);
    const file = process.env['FAXDESK_TEST_REPORT'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(report));
  }
}

function countModule(module: TestModule, report: TestReport): void {
  let failed = 0;
  for (const test of module.children.allTests()) {
    const result = test.result();
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    if (result.state === 'passed' && test.diagnostic()?.flaky) report.repeated.push(name);
    if (result.state === 'passed') report.passed += 1;
    else if (result.state === 'failed') failed += 1;
    else {
      const reason =
        (result.state === 'skipped' ? result.note : undefined) ?? 'its condition is not met here';
      report.skipped.push({ test: name, reason });
    }
  }
  report.failed += failed === 0 && module.state() === 'failed' ? 1 : failed;
}
