import type { Command } from 'commander';
import { ApiError } from '../../../shared/client/index.ts';
import { action } from '../command.ts';
import { CommandFailure } from '../exit-codes.ts';
import { facts, terminal } from '../terminal.ts';

export function addPeopleCommands(program: Command): void {
  program
    .command('me')
    .description('Who the key belongs to and what it may do.')
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
    .description('Whether the gateway is running and accepting faxes.')
    .action(
      action(async ({ client, answer }) => {
        const problems = await problemsOf(async () => (await client()).system.ready());
        answer({ status: problems.length === 0 ? 'ok' : 'not ready', problems }, () =>
          problems.length === 0 ? 'The gateway is ready.' : problems.join('\n'),
        );
        if (problems.length > 0) throw new CommandFailure('The gateway is not ready.');
      }),
    );
  addOwner(program);
}

/** A gateway that is not ready answers 503 with its problems. */
export async function problemsOf(ask: () => Promise<{ problems: string[] }>): Promise<string[]> {
  try {
    return (await ask()).problems;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.is('not_ready')) throw error;
    const { problems } = (error.body ?? {}) as { problems?: unknown };
    return Array.isArray(problems) ? problems.map(String) : [error.detail];
  }
}

function addOwner(program: Command): void {
  program
    .command('owner')
    .description('The owner of the installation.')
    .command('enroll')
    .description('Create the first owner, with the installation key. The password is shown once.')
    .requiredOption('--login <name>', 'the name to sign in with')
    .requiredOption('--name <name>', 'the name that is shown')
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
            ['Login', options.login],
            ['Password for the first sign-in', enrolled.temporary_password],
          ]),
        );
        terminal.note('It is shown only now, and must be changed at the first sign-in.');
      }),
    );
}
