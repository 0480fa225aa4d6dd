import type { Command } from 'commander';
import { ERRORS } from '../../../shared/errors/all.ts';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findGroup, findPerson, type Group } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { enabledOrNot } from '../people-words.ts';
import { facts, table } from '../terminal.ts';

const GROUP = 'id or name';
const WHO = 'id, sign-in name or name of a person or integration';

export function addGroupsCommands(program: Command): void {
  const groups = program.command('groups').description('Manage groups of people with the same roles.');
  addReading(groups);
  addCreate(groups);
  addChange(groups);
  addMembers(groups);
}

function addReading(groups: Command): void {
  const list = groups.command('list').description('List groups, by name.');
  addPagingOptions(list).action(
    action<PageOptions>(async ({ options: { limit, cursor }, client, answer }) => {
      answer(await (await client()).groups.listGroups({ query: { limit, cursor } }), (page) => {
        const rows = page.items.map((group) => [
          group.id,
          group.name,
          enabledOrNot(group),
          group.member_count,
          group.description,
        ]);
        return appendNextPage(table(['ID', 'NAME', 'STATE', 'MEMBERS', 'DESCRIPTION'], rows), page);
      });
    }),
  );
  groups
    .command('show')
    .description('Show a group with its members.')
    .argument('<group>', GROUP)
    .action(
      action(async ({ client, answer }, name = '') => {
        const rooms = await client();
        const { id } = (await findGroup(rooms, name)).item;
        answer(await rooms.groups.getGroup({ params: { id } }), ({ group, members }) => {
          const rows = members.map(({ principal: each, created_at }) => [
            each.id,
            each.display_name,
            each.kind,
            enabledOrNot(each),
            created_at,
          ]);
          const list = table(['MEMBER', 'NAME', 'KIND', 'STATE', 'SINCE'], rows);
          return members.length === 0 ? describe(group) : `${describe(group)}\n\n${list}`;
        });
      }),
    );
}

interface Fields {
  readonly name?: string;
  readonly description?: string;
  readonly enabled?: boolean;
}

function addCreate(groups: Command): void {
  groups
    .command('create')
    .description('Create a group.')
    .requiredOption('--name <name>', 'the name')
    .option('--description <text>', 'the purpose')
    .addOption(booleanOption('--enabled', 'no creates a group that gives its members no permissions yet'))
    .action(
      action<Fields & { name: string }>(async ({ options, client, answer }) => {
        const { access, groups: room } = await client();
        const { name, description, enabled } = options;
        const { policy_version: expected_policy_version } = await access.me();
        const body = { name, description, enabled, expected_policy_version };
        answer(await room.createGroup({ body }), ({ group }) => describe(group));
      }),
    );
}

function addChange(groups: Command): void {
  groups
    .command('change')
    .description('Rename, describe, enable or disable a group. Anything left out stays the same.')
    .argument('<group>', GROUP)
    .option('--name <name>', 'the name')
    .option('--description <text>', 'the purpose')
    .addOption(booleanOption('--enabled', 'whether it gives its members permissions'))
    .action(
      action<Fields>(async ({ options, client, answer }, given = '') => {
        const { name, description, enabled } = options;
        const fields = requireChange({ name, description, enabled });
        const rooms = await client();
        const { item, versions } = await findGroup(rooms, given);
        const body = { ...fields, ...versions };
        answer(await rooms.groups.changeGroup({ params: { id: item.id }, body }), ({ group }) =>
          describe(group),
        );
      }),
    );
}

function addMembers(groups: Command): void {
  groups
    .command('add-member')
    .description('Add a person or integration to a group.')
    .argument('<group>', GROUP)
    .argument('<who>', WHO)
    .action(
      action(async ({ client, answer }, name = '', who = '') => {
        const rooms = await client();
        const { item: group, versions } = await findGroup(rooms, name);
        const { item: person } = await findPerson(rooms, who);
        const body = {
          principal_id: person.id,
          principal_version: person.version,
          group_version: group.version,
          expected_policy_version: versions.expected_policy_version,
        };
        answer(
          await rooms.groups.addMember({ params: { id: group.id }, body }),
          () => `${person.display_name} is in the group ${group.name}.`,
        );
      }),
    );
  groups
    .command('remove-member')
    .description('Remove a person or integration from a group.')
    .argument('<group>', GROUP)
    .argument('<who>', WHO)
    .action(
      action(async ({ client, answer }, name = '', who = '') => {
        const rooms = await client();
        const { item: person } = await findPerson(rooms, who);
        const { id } = (await findGroup(rooms, name)).item;
        const { group, members, policy_version } = await rooms.groups.getGroup({ params: { id } });
        const member = members.find(({ principal }) => principal.id === person.id);
        if (!member) throw new CommandFailure(ERRORS.no_such_member.sentence, EXIT.notFound);
        const body = {
          membership_version: member.version,
          group_version: group.version,
          expected_policy_version: policy_version,
        };
        answer(
          await rooms.groups.removeMember({ params: { id, membership_id: member.id }, body }),
          () => `${person.display_name} is no longer in the group ${group.name}.`,
        );
      }),
    );
}

function describe(group: Group): string {
  return facts([
    ['Id', group.id],
    ['Name', group.name],
    ['Description', group.description || null],
    ['State', enabledOrNot(group)],
    ['Members', group.member_count],
  ]);
}
