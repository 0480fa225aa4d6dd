import { type Command, Option } from 'commander';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { withChoices } from '../choice-option.ts';
import { action } from '../command.ts';
import { findPerson } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import {
  describeDetails,
  describePassword,
  describePerson,
  peopleTable,
  printPasswordNotice,
} from '../people-words.ts';
import { terminal } from '../terminal.ts';

const WHO = 'id, sign-in name or name';

export function addUsersCommands(program: Command): void {
  const users = program.command('users').description('Manage people who sign in.');
  addList(users);
  addShow(users);
  addCreate(users);
  addChange(users);
  addResets(users);
}

interface ListOptions extends PageOptions {
  readonly kind: 'user' | 'integration' | 'all';
  readonly search?: string;
  readonly enabled?: boolean;
}

function addList(users: Command): void {
  const list = users
    .command('list')
    .description('List people, by name.')
    .addOption(
      withChoices(new Option('--kind <kind>', 'user, integration or all').default('user'), [
        'user',
        'integration',
        'all',
      ]),
    )
    .option('--search <text>', 'part of the name or sign-in name')
    .addOption(booleanOption('--enabled', 'only enabled people (yes), or only disabled ones (no)'));
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { kind, search: q, enabled, limit, cursor } = options;
      const query = { kind, q, enabled: enabled?.toString(), limit, cursor };
      answer(await (await client()).people.listUsers({ query }), (page) =>
        appendNextPage(peopleTable(page.items), page),
      );
    }),
  );
}

function addShow(users: Command): void {
  users
    .command('show')
    .description('Show a person or integration with their groups. Use grants why to see their permissions.')
    .argument('<who>', WHO)
    .action(
      action(async ({ client, answer }, who = '') => {
        const rooms = await client();
        const { id } = (await findPerson(rooms, who)).item;
        answer(await rooms.people.getUser({ params: { id } }), describeDetails);
      }),
    );
}

interface Fields {
  readonly login?: string;
  readonly name?: string;
  readonly enabled?: boolean;
}

function addCreate(users: Command): void {
  users
    .command('create')
    .description('Create a person. The password for the first sign-in is shown once.')
    .requiredOption('--login <login>', 'the sign-in name')
    .requiredOption('--name <name>', 'the display name')
    .addOption(booleanOption('--enabled', 'no creates a person who cannot sign in yet'))
    .action(
      action<Fields & { login: string; name: string }>(async ({ options, client, answer }) => {
        const { access, people } = await client();
        const { login, name: display_name, enabled } = options;
        const { policy_version: expected_policy_version } = await access.me();
        const body = { login, display_name, enabled, expected_policy_version };
        answer(await people.createUser({ body }), ({ user, temporary_password }) =>
          describePassword(user, temporary_password),
        );
        printPasswordNotice();
      }),
    );
}

function addChange(users: Command): void {
  users
    .command('change')
    .description(
      'Rename, enable or disable a person. Disabling ends their sessions and stops their keys at once.',
    )
    .argument('<who>', WHO)
    .option('--login <login>', 'the sign-in name')
    .option('--name <name>', 'the display name')
    .addOption(booleanOption('--enabled', 'whether they can sign in and use their keys'))
    .action(
      action<Fields>(async ({ options, client, answer }, who = '') => {
        const { login, name: display_name, enabled } = options;
        const fields = requireChange({ login, display_name, enabled });
        const rooms = await client();
        const { item, versions } = await findPerson(rooms, who);
        const body = { ...fields, ...versions };
        answer(await rooms.people.changeUser({ params: { id: item.id }, body }), ({ user }) =>
          describePerson(user),
        );
      }),
    );
}

function addResets(users: Command): void {
  users
    .command('reset-password')
    .description('Give a person a new password, shown once, and end their sessions.')
    .argument('<who>', WHO)
    .action(
      action(async ({ client, answer }, who = '') => {
        const rooms = await client();
        const { item, versions: body } = await findPerson(rooms, who);
        const reset = await rooms.people.resetPassword({ params: { id: item.id }, body });
        answer(reset, ({ user, temporary_password }) => describePassword(user, temporary_password));
        printPasswordNotice();
      }),
    );
  const removals = [
    {
      name: 'reset-two-factor',
      description: 'Remove the second factor of a person who lost it, and end their sessions.',
      route: 'resetTwoFactor',
    },
    {
      name: 'reset-quick-sign-in',
      description: 'Remove the PIN and the card of a person who lost them, and end their sessions.',
      route: 'resetQuickSignIn',
    },
  ] as const;
  for (const { name, description, route } of removals)
    users
      .command(name)
      .description(description)
      .argument('<who>', WHO)
      .action(
        action(async ({ client, answer }, who = '') => {
          const rooms = await client();
          const { item, versions: body } = await findPerson(rooms, who);
          const reset = await rooms.people[route]({ params: { id: item.id }, body });
          answer(reset, ({ user }) => describePerson(user));
          terminal.note('That person’s sessions have ended.');
        }),
      );
}
