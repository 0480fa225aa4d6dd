import type { Command } from 'commander';
import type { ScanSource } from '../../../shared/scanning.ts';
import { action } from '../command.ts';
import { facts, table } from '../terminal.ts';

const SOURCES: Readonly<Record<ScanSource, string>> = {
  glass: 'glass',
  feeder: 'feeder',
  feeder_two_sided: 'feeder, both sides',
};

const FEEDER = { true: 'loaded', false: 'empty', null: '-' } as const;

export function addScannersCommands(program: Command): void {
  const scanners = program
    .command('scanners')
    .description('Scan to fax: list the scanners of the settings, and check one.');
  scanners
    .command('list')
    .description('List the scanners of the settings, or those that the network has.')
    .option('--network', 'search the network for scanners; takes about a second')
    .addHelpText('after', '\nTo add one: faxdesk settings change SCANNERS=192.168.1.20')
    .action(
      action<{ network?: boolean }>(async ({ client, answer, options }) => {
        const { scanning } = await client();
        if (options.network)
          return answer(await scanning.listNetworkScanners(), ({ items }) =>
            table(
              ['NAME', 'MODEL', 'PLACE', 'ADDRESS', 'ADDED'],
              items.map(({ name, model, place, url, is_added: isAdded }) => [
                name || '-',
                model || '-',
                place || '-',
                url,
                isAdded ? 'yes' : 'no',
              ]),
            ),
          );
        answer(await scanning.listScanners(), ({ items }) =>
          table(
            ['ID', 'ADDRESS'],
            items.map(({ id, url }) => [id, url]),
          ),
        );
      }),
    );
  scanners
    .command('show')
    .description('Connect to a scanner and show what it can do.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(
          await (await client()).scanning.getScanner({ params: { id } }),
          ({ url, model, sources, feeder_loaded }) =>
            facts([
              ['Model', model || '-'],
              ['Address', url],
              ...sources.map(
                ({ source, resolutions }) =>
                  [`Resolutions, ${SOURCES[source]}`, `${resolutions.join(', ')} dpi`] as const,
              ),
              ['Feeder', FEEDER[`${feeder_loaded}`]],
            ]),
        );
      }),
    );
}
