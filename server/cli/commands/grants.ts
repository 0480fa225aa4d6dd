import type { Command } from 'commander';
import type { Client } from '../../../shared/client/index.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findGrant, findGroup, findPerson, findResource, findRole, type Grant } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { explainGrants } from '../people-words.ts';
import { table, terminal } from '../terminal.ts';

const WHO = 'a person or integration: id, sign-in name or name';
const GROUP = 'a group: id or name';
const ROLE = 'id or name of a role';
const ON = '--on <resource>';
const RESOURCE = 'label of a mailbox, mailbox:<id> or inbound:<id>';

export function addGrantsCommands(program: Command): void {
  const grants = program.command('grants').description('Manage role assignments.');
  addList(grants);
  addGive(grants);
  addTake(grants);
  addWhy(grants);
}

interface ListOptions extends PageOptions {
  readonly of?: string;
  readonly ofGroup?: string;
  readonly role?: string;
  readonly on?: string;
}

function addList(grants: Command): void {
  const list = grants
    .command('list')
    .description('List role assignments, newest first.')
    .option('--of <who>', WHO)
    .option('--of-group <group>', GROUP)
    .option('--role <role>', ROLE)
    .option(ON, `installation, ${RESOURCE}`);
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { of, ofGroup, role, on, limit, cursor } = options;
      const rooms = await client();
      const query = {
        subject_id:
          of === undefined && ofGroup === undefined ? undefined : (await subjectOf(rooms, of, ofGroup)).id,
        role_id: role === undefined ? undefined : (await findRole(rooms, role)).item.id,
        resource_id: on === undefined ? undefined : await findResource(rooms, on),
        limit,
        cursor,
      };
      answer(await rooms.assignments.listAssignments({ query }), (page) =>
        appendNextPage(grantTable(page.items), page),
      );
    }),
  );
}

interface GiveOptions {
  readonly to?: string;
  readonly toGroup?: string;
  readonly on?: string;
}

function addGive(grants: Command): void {
  grants
    .command('create')
    .description('Give a role to a person, integration or group.')
    .argument('<role>', ROLE)
    .option('--to <who>', WHO)
    .option('--to-group <group>', GROUP)
    .option(ON, `where the role applies: ${RESOURCE}; everything if left out`)
    .action(
      action<GiveOptions>(async ({ options, client, answer }, name = '') => {
        const rooms = await client();
        const { item: role, versions } = await findRole(rooms, name);
        const { kind, id, version } = await subjectOf(rooms, options.to, options.toGroup);
        const body = {
          subject: { kind, id, version },
          role: { id: role.id, version: role.version },
          resource_id: await findResource(rooms, options.on),
          expected_policy_version: versions.expected_policy_version,
        };
        const given = await rooms.assignments.createAssignment({ body });
        answer(given, ({ assignment }) => `${sentenceOf(assignment)} (${assignment.id})`);
      }),
    );
}

interface TakeOptions {
  readonly from?: string;
  readonly fromGroup?: string;
  readonly on?: string;
}

function addTake(grants: Command): void {
  grants
    .command('remove')
    .description('Remove a role assignment by its id, or a role from a person, integration or group.')
    .argument('<grant>', 'id of the role assignment; with --from or --from-group, id or name of the role')
    .option('--from <who>', WHO)
    .option('--from-group <group>', GROUP)
    .option(ON, `where the role was given: ${RESOURCE}; everything if left out`)
    .action(
      action<TakeOptions>(async ({ options, client, answer }, given = '') => {
        const rooms = await client();
        const { item, versions: body } = await findGrant(rooms, await grantFilter(rooms, given, options));
        const taken = await rooms.assignments.removeAssignment({ params: { id: item.id }, body });
        answer(taken, ({ assignment }) => `Removed: ${sentenceOf(assignment)}`);
      }),
    );
}

async function grantFilter(rooms: Client, given: string, { from, fromGroup, on }: TakeOptions) {
  if (from === undefined && fromGroup === undefined) {
    if (on === undefined) return { id: given };
    throw new CommandFailure('With --on, also give --from or --from-group.', EXIT.usage);
  }
  return {
    subject_id: (await subjectOf(rooms, from, fromGroup)).id,
    role_id: (await findRole(rooms, given)).item.id,
    resource_id: await findResource(rooms, on),
  };
}

function addWhy(grants: Command): void {
  grants
    .command('why')
    .description(
      'Show the permissions of a person or integration, and the role or group that gives each one.',
    )
    .argument('<who>', 'id, sign-in name or name of a person or integration')
    .action(
      action(async ({ client, answer }, who = '') => {
        const rooms = await client();
        const { id } = (await findPerson(rooms, who)).item;
        const details = await rooms.people.getUser({ params: { id } });
        answer(details, explainGrants);
        if (details.user.password_change_required)
          terminal.note('These permissions do not work until they choose their own password.');
      }),
    );
}

/** Whoever has the role, a person or a group. */
async function subjectOf(rooms: Client, who: string | undefined, group: string | undefined) {
  if ((who === undefined) === (group === undefined))
    throw new CommandFailure('Give either a person or integration, or a group.', EXIT.usage);
  const { item } = who === undefined ? await findGroup(rooms, group ?? '') : await findPerson(rooms, who);
  const kind = who === undefined ? 'group' : 'principal';
  return { kind, id: item.id, version: item.version } as const;
}

function grantTable(grants: readonly Grant[]): string {
  const rows = grants.map(({ id, subject, role, resource, created_at }) => [
    id,
    subject.name,
    subject.kind === 'group' ? 'group' : 'person',
    role.name,
    resource.name,
    created_at,
  ]);
  return table(['ID', 'WHO', 'KIND', 'ROLE', 'WHERE', 'SINCE'], rows);
}

function sentenceOf({ subject, role, resource }: Grant): string {
  return `${subject.name} has the role ${role.name} on ${resource.name}.`;
}
