import type { Command } from 'commander';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findRole, type Role } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { enabledOrNot } from '../people-words.ts';
import { facts, table } from '../terminal.ts';

const ROLE = 'id or name';
const TWO_FACTOR = 'whether people with this role must sign in with a second factor';

export function addRolesCommands(program: Command): void {
  const roles = program.command('roles').description('Manage roles: named sets of permissions.');
  addReading(roles);
  addCreate(roles);
  addChange(roles);
  addPermissions(roles);
}

function addReading(roles: Command): void {
  const list = roles.command('list').description('List roles, the built-in ones first.');
  addPagingOptions(list).action(
    action<PageOptions>(async ({ options: { limit, cursor }, client, answer }) => {
      answer(await (await client()).roles.listRoles({ query: { limit, cursor } }), (page) => {
        const rows = page.items.map((role) => [
          role.id,
          role.name,
          role.built_in ? 'built in' : 'own',
          enabledOrNot(role),
          role.requires_two_factor ? 'required' : 'not required',
          role.permissions.length,
        ]);
        const head = ['ID', 'NAME', 'KIND', 'STATE', 'SECOND FACTOR', 'PERMISSIONS'];
        return appendNextPage(table(head, rows), page);
      });
    }),
  );
  roles
    .command('show')
    .description('Show a role with its permissions.')
    .argument('<role>', ROLE)
    .action(
      action(async ({ client, answer }, name = '') => {
        const rooms = await client();
        const { id } = (await findRole(rooms, name)).item;
        answer(await rooms.roles.getRole({ params: { id } }), ({ role }) => describe(role));
      }),
    );
}

interface Fields {
  readonly name?: string;
  readonly description?: string;
  readonly permission?: string[];
  readonly enabled?: boolean;
  readonly twoFactor?: boolean;
}

function addCreate(roles: Command): void {
  roles
    .command('create')
    .description('Create a role. Use grants create to assign it.')
    .requiredOption('--name <name>', 'the name')
    .option('--description <text>', 'the purpose')
    .requiredOption(
      '--permission <permission...>',
      'all its permissions; "faxdesk roles permissions" lists them',
    )
    .addOption(booleanOption('--two-factor', TWO_FACTOR))
    .addOption(booleanOption('--enabled', 'no creates a role that gives no permissions yet'))
    .action(
      action<Fields & { name: string }>(async ({ options, client, answer }) => {
        const { access, roles: room } = await client();
        const { name, description, permission, enabled, twoFactor } = options;
        const { policy_version: expected_policy_version } = await access.me();
        const body = {
          name,
          description,
          // The gateway validates the permissions and refuses unknown ones in a sentence.
          permissions: permission as never,
          enabled,
          requires_two_factor: twoFactor,
          expected_policy_version,
        };
        answer(await room.createRole({ body }), ({ role }) => describe(role));
      }),
    );
}

interface ChangeOptions extends Fields {
  readonly add?: string[];
  readonly remove?: string[];
}

function addChange(roles: Command): void {
  roles
    .command('change')
    .description(
      'Change a role. Anything left out stays the same. For a built-in role, only --two-factor can be changed.',
    )
    .argument('<role>', ROLE)
    .option('--name <name>', 'the name')
    .option('--description <text>', 'the purpose')
    .option('--permission <permission...>', 'all its permissions from now on')
    .option('--add <permission...>', 'permissions to add')
    .option('--remove <permission...>', 'permissions to remove')
    .addOption(booleanOption('--two-factor', TWO_FACTOR))
    .addOption(booleanOption('--enabled', 'whether it gives its permissions'))
    .action(
      action<ChangeOptions>(async ({ options, client, answer }, given = '') => {
        const {
          name,
          description,
          enabled,
          twoFactor: requires_two_factor,
          permission,
          add,
          remove,
        } = options;
        const fields = { name, description, enabled, requires_two_factor };
        requireChange({ ...fields, permission, add, remove });
        const rooms = await client();
        const { item, versions } = await findRole(rooms, given);
        const permissions = permissionsOf(item, options) as never;
        const body = { ...fields, permissions, ...versions };
        answer(await rooms.roles.changeRole({ params: { id: item.id }, body }), ({ role }) => describe(role));
      }),
    );
}

/** Returns all permissions of the changed role; undefined when no option changes them. */
function permissionsOf(role: Role, { permission, add, remove }: ChangeOptions): string[] | undefined {
  if (permission === undefined && add === undefined && remove === undefined) return undefined;
  const before = permission ?? role.permissions;
  const missing = remove?.find((one) => !before.includes(one));
  if (missing !== undefined)
    throw new CommandFailure(`The role ${role.name} does not allow ${missing}.`, EXIT.badValues);
  return [...new Set([...before, ...(add ?? [])])].filter((one) => !remove?.includes(one));
}

function addPermissions(roles: Command): void {
  roles
    .command('permissions')
    .description('List all permissions.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).roles.listPermissions(), ({ items }) =>
          table(
            ['PERMISSION', 'ABOUT', 'ALLOWS TO'],
            items.map(({ permission, group, description }) => [permission, group, description]),
          ),
        );
      }),
    );
}

function describe(role: Role): string {
  return facts([
    ['Id', role.id],
    ['Name', role.name],
    ['Description', role.description || null],
    ['Kind', role.built_in ? 'built in' : 'own'],
    ['State', enabledOrNot(role)],
    ['Second factor', role.requires_two_factor ? 'required' : 'not required'],
    ['Allows', role.permissions.join(' ') || 'nothing'],
  ]);
}
