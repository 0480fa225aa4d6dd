import type { Command } from 'commander';
import { action } from '../command.ts';
import { facts, table, terminal } from '../terminal.ts';

interface CreateOptions {
  readonly name?: string;
  readonly note?: string;
  readonly owner?: string;
  readonly scope?: string[];
  readonly expires?: string;
}

export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('API keys for programs.');
  keys
    .command('list')
    .description('All keys, without their secrets.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).access.listKeys(), (items) => {
          const rows = items.map((key) => [
            key.key_id,
            key.name,
            key.revoked_at ? 'revoked' : 'active',
            key.scopes.join(' '),
            key.expires_at,
            key.last_used_at,
          ]);
          return table(['KEY', 'NAME', 'STATE', 'MAY', 'EXPIRES', 'LAST USED'], rows);
        });
      }),
    );
  keys
    .command('create')
    .description('Make a key. Its token is shown once.')
    .option('--name <name>', 'what it is for')
    .option('--note <text>', 'anything worth knowing')
    .option('--owner <text>', 'whom to ask about it')
    .option('--scope <permission...>', 'what it may do; fax:send and fax:read when left out')
    .option('--expires <time>', 'when it ends, e.g. 2027-11-01T00:00:00Z')
    .action(
      action<CreateOptions>(async ({ options, client, answer }) => {
        const { name, note, owner, scope, expires } = options;
        // The permissions are checked by the gateway, which knows what the caller may pass on.
        const body = { name, note, owner, scopes: scope as never, expires_at: expires };
        answer(await (await client()).access.createKey({ body }), showToken);
        terminal.note('The token is shown only now.');
      }),
    );
  keys
    .command('rotate')
    .description('Give a key a new token; the old one ends at once.')
    .argument('<key>')
    .action(
      action(async ({ client, answer }, keyId = '') => {
        answer(await (await client()).access.rotateKey({ params: { keyId } }), showToken);
        terminal.note('The token is shown only now.');
      }),
    );
  keys
    .command('revoke')
    .description('End a key for good.')
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

function showToken(key: { key_id: string; token: string }): string {
  return facts([
    ['Key', key.key_id],
    ['Token', key.token],
  ]);
}
