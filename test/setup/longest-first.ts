import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take long, the longest first: one that begins last leaves the other workers idle. A fresh checkout
 * remembers no durations, and the size of a file says little.
 */
const LONG = [
  // Installs every package in a checkout of its own.
  'test/packaging/documented-commands.test.ts',
  // Fetches a telephone engine the first time, and then mostly waits for its calls.
  'test/api/telephony-receiving.test.ts',
  'test/api/outbound-engine.test.ts',
  'test/api/outbound-engine-faults.test.ts',
  'test/restart/kill-points.test.ts',
  'test/api/inbound-faults.test.ts',
  'test/restart/inbound-kill-points.test.ts',
  'test/packaging/linux.test.ts',
  'test/built/served.test.ts',
  'test/packaging/windows.test.ts',
  'test/faults/stores.test.ts',
  'test/cli/cli.test.ts',
  'test/restart/engine-kill-points.test.ts',
  'test/api/system-sentences.test.ts',
  'test/api/access-model.test.ts',
  'test/packaging/macos.test.ts',
  'test/faults/steps.test.ts',
  'test/cli/access-rights.test.ts',
  'test/api/access-passkeys.test.ts',
  'test/api/telephony-recovery.test.ts',
  'test/faults/storm.test.ts',
  'test/api/system-attacks-input.test.ts',
  'test/store/storage-mismatch.test.ts',
  'test/races/commands.test.ts',
  'test/cli/access-people.test.ts',
  'test/store/backup-broken-off.test.ts',
  'test/faults/database.test.ts',
  'test/cli/keys.test.ts',
  'test/restart/held-answers.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/documents/hostile-pdfs.test.ts',
  'test/browser/every-screen.test.ts',
  'test/browser/setup.test.ts',
  'test/browser/send-draft.test.ts',
  'test/browser/access-keys.test.ts',
  'test/browser/passkeys.test.ts',
  'test/browser/load-again.test.ts',
  'test/desktop/console-send.test.ts',
  'test/browser/send-faults.test.ts',
  'test/browser/inbox-print.test.ts',
];

/** The order within each project is that of the list; then come the others, as Vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter((path) => !existsSync(path));
    if (gone.length > 0) throw new Error(`longest-first.ts names files that are gone: ${gone.join(', ')}`);
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONG.indexOf(relative(process.cwd(), moduleId).replaceAll('\\', '/'));
      return index < 0 ? LONG.length : index;
    };
    const projects = [...new Set(sorted.map((file) => file.project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => place(a) - place(b)),
    );
  }
}
