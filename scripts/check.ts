import { runChecks, runProgram } from './steps.ts';

// The static checks, and that package-lock.json is complete: a lock that lacks the packages of other systems
// installs here and fails there.
const { failed: found } = await runChecks({ atOnce: 2 });
const failed = [...found];

console.log('\n== lock file');
const dryRun = ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
if (!(await runProgram('npm', dryRun))) failed.push('lock file');

console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);
