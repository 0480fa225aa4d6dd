import type { Command } from 'commander';
import type { z } from 'zod';
import type { TelephonyCheck, TrunkPreset } from '../../../shared/api/telephony.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table, terminal } from '../terminal.ts';
import { addCallLog } from './telephony-calls.ts';

/** Loaded when it is needed. */
const work = () => import('../telephony-work.ts');

interface ConfigOptions {
  readonly output: string;
  readonly gateway?: string;
  readonly managerBind?: string;
  readonly sipBind?: string;
  readonly sipPort?: string;
  readonly overwrite?: boolean;
}

export function addTelephonyCommands(program: Command): void {
  const telephony = program
    .command('telephony')
    .description('Set up the phone line: Asterisk and its SIP trunk.');
  telephony
    .command('config')
    .description('Write the Asterisk configuration from the settings. The files contain passwords.')
    .requiredOption('--output <folder>', 'where to write it, e.g. /etc/asterisk')
    .option('--gateway <address>', 'address that Asterisk uses to reach Faxdesk, if not on this computer')
    .option('--manager-bind <address>', 'address of its manager interface, if not 127.0.0.1')
    .option('--sip-bind <address>', 'address that it uses for the trunk, if not all addresses')
    .option('--sip-port <port>', 'the port for the trunk, if not 5060 or 5061 with TLS')
    .option('--overwrite', 'replace files that Faxdesk did not write')
    .addHelpText(
      'after',
      `
Run this on the gateway’s computer. If Asterisk also serves other telephones, write to an empty folder and copy only
the parts you need.

Example:
  faxdesk telephony config --output /etc/asterisk && asterisk -rx 'core restart now'`,
    )
    .action(
      action<ConfigOptions>(async ({ options, client }) => {
        const telephonyWork = await work();
        const body = await telephonyWork.buildRequest(options);
        const written = await (await client()).telephony.writeTelephonyConfiguration({ body });
        await telephonyWork.copyConfiguration(written, options);
        terminal.note(
          `Wrote ${written.files.length} files to ${options.output}. Restart Asterisk, then run "faxdesk telephony check".`,
        );
      }),
    );
  telephony
    .command('check')
    .description(
      'Check everything needed to fax over the phone line, from the settings to a test page within Asterisk.',
    )
    .option('--no-loop', 'skip the test page within Asterisk, which takes 15 seconds')
    .action(
      action<{ loop: boolean }>(async ({ options, client, answer }) => {
        const result = await (await client()).telephony.checkTelephony({ body: { loop: options.loop } });
        answer(result, describeCheck);
        if (!result.ok) throw new CommandFailure('The phone line is not ready.', EXIT.failed);
      }),
    );
  addCallLog(telephony);
  telephony
    .command('presets')
    .description('List the carriers with a trunk preset, or show the settings of one.')
    .argument('[name]', 'a carrier, e.g. telnyx')
    .action(
      action(async ({ client, answer }, name) => {
        const { presets } = await (await client()).telephony.telephonyPresets();
        if (name === undefined) return answer(presets, describePresets);
        const preset = presets.find((each) => each.name === name);
        if (preset === undefined) throw new CommandFailure(`There is no preset ${name}.`, EXIT.notFound);
        answer(preset, describePreset);
      }),
    );
}

function describeCheck({ checks }: z.infer<typeof TelephonyCheck>): string {
  return table(
    ['CHECK', 'RESULT', 'DETAIL'],
    checks.map(({ name, ok, detail }) => [name, ok ? 'ok' : 'problem', detail]),
  );
}

function describePresets(presets: readonly z.infer<typeof TrunkPreset>[]): string {
  return table(
    ['PRESET', 'CARRIER'],
    presets.map(({ name, label }) => [name, label]),
  );
}

function describePreset({ name, label, values, hosts, note }: z.infer<typeof TrunkPreset>): string {
  return facts([
    ['Carrier', label],
    ['TRUNK_PRESET', name],
    ...Object.entries(values).map(
      ([setting, { value, state, source }]) => [setting, `${value} (${state}, ${source})`] as const,
    ),
    ...(hosts.length > 0 ? [['Hosts', hosts.join(', ')] as const] : []),
    ...(note === '' ? [] : [['Note', note] as const]),
  ]);
}
