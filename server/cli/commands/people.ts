import type { Command } from 'commander';
import { action } from '../command.ts';
import { CommandFailure } from '../exit-codes.ts';
import { dataFolderOf, listed, type Readiness, readinessOf } from '../readiness.ts';
import { facts, oneLine, terminal } from '../terminal.ts';

export function addPeopleCommands(program: Command): void {
  program
    .command('me')
    .description('Show the owner and the permissions of the key.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).access.me(), (me) =>
          facts([
            ['Name', me.principal.display_name],
            ['Kind', me.principal.kind],
            ['Owner', me.is_owner ? 'yes' : 'no'],
            ['Permissions', me.permissions.join(', ') || 'none'],
          ]),
        );
      }),
    );
  program
    .command('health')
    .description('Check that the gateway is running and accepting faxes, and show problems.')
    .addHelpText(
      'after',
      '\nThe exit code shows only if faxes are accepted; other problems do not change it. The data folder is shown if the key has permission to read diagnostics.',
    )
    .action(
      action(async ({ client, answer }) => {
        const rooms = await client();
        const readiness = await readinessOf(rooms);
        const status = readiness.problems.length === 0 ? 'ok' : 'not ready';
        const data_folder = await dataFolderOf(rooms);
        answer({ status, ...readiness, data_folder }, describeHealth);
        if (status !== 'ok') throw new CommandFailure('The gateway is not ready.');
      }),
    );
  addOwner(program);
}

function describeHealth({
  problems,
  warnings,
  data_folder,
}: Readiness & { data_folder: string | null }): string {
  return [
    ...(problems.length > 0 ? problems : ['The gateway is ready.']),
    ...(warnings.length > 0 ? ['Needs attention:', listed(warnings)] : []),
    ...(data_folder === null ? [] : [`Data folder: ${oneLine(data_folder)}`]),
  ].join('\n');
}

function addOwner(program: Command): void {
  program
    .command('owner')
    .description('Set up the owner of the installation.')
    .command('enroll')
    .description('Create the first owner with the installation key. The password is shown once.')
    .requiredOption('--login <name>', 'the sign-in name')
    .requiredOption('--name <name>', 'the display name')
    .action(
      action<{ login: string; name: string }>(async ({ options, client, answer }) => {
        const { access } = await client();
        const { policy_version } = await access.me();
        const body = {
          login: options.login,
          display_name: options.name,
          expected_policy_version: policy_version,
        };
        answer(await access.enrollOwner({ body }), (enrolled) =>
          facts([
            ['Sign-in name', options.login],
            ['Password for the first sign-in', enrolled.temporary_password],
          ]),
        );
        terminal.note('It is shown only now, and must be changed at the first sign-in.');
      }),
    );
}
