import type { Command } from 'commander';
import { jobKindWords } from '../../../shared/job-kinds.ts';
import { readBoot } from '../../config/boot.ts';
import { action } from '../command.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { facts } from '../terminal.ts';

const MB = 1024 * 1024;

export function addDiagnose(program: Command): void {
  program
    .command('diagnose')
    .description('A report for the person helping you. It holds no secrets and no numbers.')
    .addHelpText('after', '\nRun it on the computer of the gateway, whether the gateway runs or not.')
    .action(
      action(async ({ options, answer }) => {
        const { options: boot } = await readBoot(
          options.data === undefined ? {} : { dataFolder: options.data },
        );
        const { diagnose } = await import('../diagnosis.ts');
        answer(await diagnose(boot), describe);
      }),
    );
}

function describe({ store, gateway, log, ...rest }: Diagnosis): string {
  const report = facts([
    ['Release', rest.release],
    ['Node.js', rest.node],
    ['System', rest.platform],
    ['Data folder', rest.data_folder],
    ['Free on its disk', rest.free_bytes === null ? 'no such folder' : megabytes(rest.free_bytes)],
    ['Gateway', gateway.running ? `runs at ${gateway.url}` : 'does not run'],
    ['Gateway problems', gateway.problems.join(' ') || 'none'],
    ['Database', `${store.database}, ${megabytes(store.size_bytes)}`],
    ['Database problems', store.problem ?? 'none'],
    ['Migrations', store.migrations.join(', ') || 'none'],
    ['Faxes', counts(store.faxes)],
    ['Background work', counts(store.waiting, jobKindWords)],
    ['Settings stored', store.settings.join(', ') || 'none'],
    ['Log', log.file ?? 'standard error of the gateway'],
  ]);
  return [report, ...log.lines].join('\n');
}

function counts(
  values: Readonly<Record<string, number>>,
  words: (name: string) => string = (name) => name,
): string {
  const texts = Object.entries(values).map(([name, count]) => `${words(name)}: ${count}`);
  return texts.join(', ') || 'none';
}

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
