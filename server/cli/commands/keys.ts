import type { Command } from 'commander';
import { KEY_STATES } from '../../../shared/api/access-keys.ts';
import type { Client } from '../../../shared/client/index.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findPerson } from '../find-access.ts';
import { ceilingOf, describeKey, describeToken, findKey, keyTable } from '../key-words.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { terminal } from '../terminal.ts';

const SCOPE = '--scope <permission...>';
const ON_RESOURCE = 'for one resource as in inbound:list@mailbox:<id>';
const EXPIRES = '--expires <time>';

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('Manage API keys for programs.');
  addList(keys);
  addCreate(keys);
  addChange(keys);
  addRenewals(keys);
  addRevoke(keys);
  addApprove(keys);
}

interface ListOptions extends PageOptions {
  readonly state?: (typeof KEY_STATES)[number];
  readonly of?: string;
}

function addList(keys: Command): void {
  const list = keys
    .command('list')
    .description('List keys without their secrets, newest first.')
    .addOption(choiceOption('--state <state>', KEY_STATES))
    .option('--of <who>', 'of one person or integration: id, sign-in name or name');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { state, of, limit, cursor } = options;
      const rooms = await client();
      const principal_id = of === undefined ? undefined : (await findPerson(rooms, of)).item.id;
      const query = { state, principal_id, limit, cursor };
      answer(await rooms.keys.listAccessKeys({ query }), (page) =>
        appendNextPage(keyTable(page.items), page),
      );
    }),
  );
}

/** Permissions that suit most keys. */
const DEFAULT_SCOPES = ['fax:send', 'fax:read'];

interface CreateOptions {
  readonly for?: string;
  readonly name?: string;
  readonly note?: string;
  readonly owner?: string;
  readonly scope?: string[];
  readonly expires?: string;
  readonly test?: true;
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('Create an API key. Its secret is shown once.')
    .option(
      '--for <who>',
      'the person or integration it belongs to: id, sign-in name or name; if left out, a separate integration is created for the key',
    )
    .option('--name <name>', 'the purpose')
    .option('--note <text>', 'a note')
    .option(
      '--owner <text>',
      'contact for questions about the key; only for a key with a separate integration',
    )
    .option(SCOPE, `its permissions; fax:send and fax:read if left out. With --for, also ${ON_RESOURCE}`)
    .option(EXPIRES, 'when it expires, e.g. 2027-11-01T00:00:00Z')
    .option('--test', 'a test key: nothing that it sends is handed to anyone; this cannot be changed later')
    .action(
      action<CreateOptions>(async ({ options, client, answer }) => {
        if (options.for === undefined && options.name === undefined)
          throw new CommandFailure(
            'Give the purpose of the key, such as --name "Practice system", or use --for to choose its person or integration.',
            EXIT.usage,
          );
        const rooms = await client();
        const made = options.for === undefined ? createOwn(rooms, options) : createFor(rooms, options);
        answer(await made, describeToken);
        printSecretNotice();
      }),
    );
}

/** The gateway checks the permissions: it has the grants that the caller may pass on. */
function createOwn({ access }: Client, options: CreateOptions) {
  const { name, note, owner, scope = DEFAULT_SCOPES, expires, test } = options;
  const scopes = scope as never;
  return access.createKey({ body: { name, note, owner, scopes, expires_at: expires, test } });
}

async function createFor(rooms: Client, options: CreateOptions) {
  const { name, note, scope = DEFAULT_SCOPES, expires: expires_at, for: who = '', test } = options;
  if (options.owner !== undefined)
    throw new CommandFailure('Use --owner only for a key with a separate integration.', EXIT.usage);
  const { item, versions } = await findPerson(rooms, who);
  const { expected_policy_version } = versions;
  const made = await rooms.keys.createAccessKey({
    body: {
      principal: { id: item.id, version: item.version },
      name,
      note,
      expires_at,
      ceiling: ceilingOf(scope),
      test,
      expected_policy_version,
    },
  });
  return { key_id: made.key.key_id, ...made };
}

interface ChangeOptions {
  readonly name?: string;
  readonly note?: string;
  readonly scope?: string[];
  readonly expires?: string;
  takeOver?: true;
}

function addChange(keys: Command): void {
  keys
    .command('change')
    .description('Rename a key, or change its expiry or permissions. Anything left out stays the same.')
    .argument('<key>')
    .option('--name <name>', 'the purpose')
    .option('--note <text>', 'a note')
    .option(SCOPE, `all its permissions, for everything or ${ON_RESOURCE}`)
    .option(EXPIRES, 'when it expires, or "never"')
    .option('--take-over', 'take over the key from someone who was disabled')
    .action(
      action<ChangeOptions>(async ({ options, client, answer }, key_id = '') => {
        const { name, note, scope, expires, takeOver } = options;
        const rooms = await client();
        const { versions } = await findKey(rooms, key_id);
        const body = {
          ...versions,
          name,
          note,
          expires_at: expires === 'never' ? null : expires,
          ceiling: scope && ceilingOf(scope),
          take_over: takeOver,
        };
        const changed = await rooms.keys.changeAccessKey({ params: { key_id }, body });
        answer(changed, ({ key }) => describeKey(key));
      }),
    );
}

function addRenewals(keys: Command): void {
  keys
    .command('rotate')
    .description('Give a key a new secret. The old one stops working at once.')
    .argument('<key>')
    .action(
      action(async ({ client, answer }, keyId = '') => {
        answer(await (await client()).access.rotateKey({ params: { keyId } }), describeToken);
        printSecretNotice();
      }),
    );
  keys
    .command('replace')
    .description('Create a second key like this one. This one expires after a day.')
    .argument('<key>')
    .option('--old-expires <time>', 'when this one expires instead; never later than it would now')
    .option(EXPIRES, 'when the new one expires; if left out, when this one would')
    .action(
      action<{ oldExpires?: string; expires?: string }>(async ({ options, client, answer }, key_id = '') => {
        const rooms = await client();
        const { versions } = await findKey(rooms, key_id);
        const body = { ...versions, old_expires_at: options.oldExpires, expires_at: options.expires };
        const made = await rooms.keys.replaceAccessKey({ params: { key_id }, body });
        answer(made, ({ key, token }) => describeToken({ key_id: key.key_id, token }));
        terminal.note(`Key ${key_id} expires at ${made.replaced.expires_at}.`);
        printSecretNotice();
      }),
    );
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('Permanently revoke a key.')
    .argument('<key>')
    .action(
      action(async ({ client, answer }, keyId = '') => {
        answer(
          await (await client()).access.revokeKey({ params: { keyId } }),
          () => `Key ${keyId} is revoked.`,
        );
      }),
    );
}

function addApprove(keys: Command): void {
  keys
    .command('approve')
    .description('Approve a key from an earlier release. Its secret stays the same.')
    .argument('<key>')
    .requiredOption(
      '--for <who>',
      'the person or integration it belongs to from now on: id, sign-in name or name',
    )
    .requiredOption(SCOPE, `its permissions, for everything or ${ON_RESOURCE}`)
    .action(
      action<{ for: string; scope: string[] }>(async ({ options, client, answer }, key_id = '') => {
        const rooms = await client();
        const { id, version } = (await findPerson(rooms, options.for)).item;
        const { versions } = await findKey(rooms, key_id);
        const body = { ...versions, principal: { id, version }, ceiling: ceilingOf(options.scope) };
        const approved = await rooms.keys.approveAccessKey({ params: { key_id }, body });
        answer(approved, ({ key }) => describeKey(key));
      }),
    );
}

function printSecretNotice(): void {
  terminal.note('The secret is shown only now.');
}
