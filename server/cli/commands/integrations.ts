import type { Command } from 'commander';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { findPerson } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { describePerson, peopleTable } from '../people-words.ts';

export function addIntegrationsCommands(program: Command): void {
  const integrations = program
    .command('integrations')
    .description('Manage integrations: programs with their own API keys.');
  addList(integrations);
  addCreate(integrations);
  addChange(integrations);
}

interface ListOptions extends PageOptions {
  readonly search?: string;
  readonly enabled?: boolean;
}

function addList(integrations: Command): void {
  const list = integrations
    .command('list')
    .description('List integrations, by name.')
    .option('--search <text>', 'part of the name')
    .addOption(booleanOption('--enabled', 'only enabled integrations (yes), or only disabled ones (no)'));
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { search: q, enabled, limit, cursor } = options;
      const query = { q, enabled: enabled?.toString(), limit, cursor };
      answer(await (await client()).people.listIntegrations({ query }), (page) =>
        appendNextPage(peopleTable(page.items), page),
      );
    }),
  );
}

function addCreate(integrations: Command): void {
  integrations
    .command('create')
    .description('Create an integration. Use keys create --for to give it a key.')
    .requiredOption('--name <name>', 'the display name')
    .addOption(booleanOption('--enabled', 'no creates an integration whose keys do not work yet'))
    .action(
      action<{ name: string; enabled?: boolean }>(async ({ options, client, answer }) => {
        const { access, people } = await client();
        const { name: display_name, enabled } = options;
        const { policy_version: expected_policy_version } = await access.me();
        const body = { display_name, enabled, expected_policy_version };
        answer(await people.createIntegration({ body }), ({ user }) => describePerson(user));
      }),
    );
}

function addChange(integrations: Command): void {
  integrations
    .command('change')
    .description('Rename, enable or disable an integration. Disabling stops its keys at once.')
    .argument('<integration>', 'id or name')
    .option('--name <name>', 'the display name')
    .addOption(booleanOption('--enabled', 'whether its keys work'))
    .action(
      action<{ name?: string; enabled?: boolean }>(async ({ options, client, answer }, name = '') => {
        const fields = requireChange({ display_name: options.name, enabled: options.enabled });
        const rooms = await client();
        const { item, versions } = await findPerson(rooms, name, 'integration');
        const body = { ...fields, ...versions };
        answer(await rooms.people.changeIntegration({ params: { id: item.id }, body }), ({ user }) =>
          describePerson(user),
        );
      }),
    );
}
