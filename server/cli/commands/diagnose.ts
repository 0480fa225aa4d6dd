import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Client } from '../../../shared/client/index.ts';
import { STORE_FILE } from '../../backup/data-folder.ts';
import { readBoot } from '../../config/boot.ts';
import { RELEASE } from '../../release.ts';
import { readRunning } from '../../running-file.ts';
import { action } from '../command.ts';
import { facts } from '../terminal.ts';
import { problemsOf } from './people.ts';

const MB = 1024 * 1024;

export function addDiagnose(program: Command): void {
  program
    .command('diagnose')
    .description('A report for whoever helps you; it holds no secrets and no numbers.')
    .action(
      action(async ({ options, client, answer }) => {
        const local = await localFacts(options.data);
        const gateway = await gatewayFacts(client).catch((error: unknown) => ({
          answers: error instanceof Error ? error.message : String(error),
        }));
        answer({ ...local, gateway }, (report) =>
          facts([
            ['Release', report.release],
            ['Node.js', report.node],
            ['System', report.system],
            ['Data folder', report.data_folder],
            ['Free on its disk', `${report.free_mb} MB`],
            ['Database', report.database],
            ['Announced at', report.announced_at],
            ...Object.entries(gateway).map(([name, value]) => [`Gateway ${name}`, words(value)] as const),
          ]),
        );
      }),
    );
}

async function localFacts(data: string | undefined) {
  const { options: boot } = await readBoot(data === undefined ? {} : { dataFolder: data });
  const store = await stat(join(boot.dataFolder, STORE_FILE)).catch(() => null);
  const disk = await statfs(boot.dataFolder).catch(() => null);
  return {
    release: RELEASE,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    data_folder: boot.dataFolder,
    free_mb: disk ? Math.floor((disk.bavail * disk.bsize) / MB) : null,
    database: boot.databaseUrl
      ? 'PostgreSQL'
      : store
        ? `SQLite, ${(store.size / MB).toFixed(1)} MB`
        : 'none yet',
    announced_at: (await readRunning(boot.dataFolder))?.url ?? null,
  };
}

async function gatewayFacts(client: () => Promise<Client>) {
  const { system, settings } = await client();
  const problems = await problemsOf(() => system.ready());
  const figures = Buffer.from(await system.metrics()).toString();
  const counts = [...figures.matchAll(/^faxdesk_(faxes|jobs_waiting)\{\w+="([\w.]+)"\} (\d+)/gmu)];
  const named = (kind: string) =>
    counts.filter(([, name]) => name === kind).map(([, , what, count]) => `${what} ${count}`);
  const set = (await settings.read()).settings.filter((item) => item.is_set && item.source !== 'default');
  return {
    answers: 'yes',
    problems,
    faxes: named('faxes'),
    'work waiting': named('jobs_waiting'),
    'settings set': set.map((item) => item.name),
  };
}

function words(value: string | readonly string[]): string {
  if (typeof value === 'string') return value;
  return value.length === 0 ? 'none' : value.join(', ');
}
