import { runProgram } from './steps.ts';

// Records the examples of the API anew, by the test that runs them, and the pages that are made of them.
const isRun = await runProgram(process.execPath, ['scripts/run-tests.ts', 'api/system-examples'], {
  FAXDESK_WRITE_EXAMPLES: '1',
});
if (!isRun || !(await runProgram(process.execPath, ['scripts/write-docs.ts']))) process.exit(1);
