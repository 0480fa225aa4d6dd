import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import durations from './durations.json' with { type: 'json' };

/** Seconds of each test file in the last recorded run; those of less than two seconds are left out. */
const SECONDS: Readonly<Record<string, number>> = durations;

/**
 * Runs the files of each project by recorded duration, longest first: one that begins last leaves the other workers idle.
 * A fresh checkout has no durations of its own, and the size of a file says little. New files follow in Vitest's order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seconds = ({ moduleId }: TestSpecification) =>
      SECONDS[relative(process.cwd(), moduleId).replaceAll('\\', '/')] ?? 0;
    const projects = [...new Set(sorted.map((file) => file.project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => seconds(b) - seconds(a)),
    );
  }
}
