import { type Command, Option } from 'commander';
import type { z } from 'zod';
import type { Connector as ConnectorShape } from '../../../shared/api/intake.ts';
import { MAIL_SECURITY, type MailSecurity } from '../../../shared/mail-server.ts';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { withChoices } from '../choice-option.ts';
import { action } from '../command.ts';
import { describeConnector as describe, findConnector } from '../connector.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { readSecrets } from '../read-secrets.ts';
import { table } from '../terminal.ts';
import { addConnectorsOAuth } from './connectors-oauth.ts';

type Connector = z.infer<typeof ConnectorShape>;

const CONNECTOR = 'its name or its id';

export function addConnectorsCommands(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('Manage the e-mail connectors that send received faxes by e-mail.');
  addList(connectors);
  addCreate(connectors);
  addChange(connectors);
  addRemove(connectors);
  addTest(connectors);
  addConnectorsOAuth(connectors);
}

function addList(connectors: Command): void {
  connectors
    .command('list')
    .description('List e-mail connectors, by name.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).intake.listConnectors(), ({ items }) => table(HEAD, items.map(rowOf)));
      }),
    );
}

const HEAD = ['NAME', 'NUMBER', 'RECIPIENTS', 'SERVER', 'STATE', 'ID'];

function rowOf(connector: Connector): (string | null)[] {
  const { id, name, match_number, recipients, host, port, enabled, last_test: test } = connector;
  const tested = test === null ? 'not tested' : test.ok ? 'tested' : 'test failed';
  const state = enabled ? tested : 'off';
  return [name, match_number ?? 'any', recipients.join(', '), `${host}:${port}`, state, id];
}

interface Options {
  readonly name?: string;
  readonly host?: string;
  readonly port?: string;
  readonly security?: MailSecurity;
  readonly signInName?: string;
  readonly password?: string;
  readonly from?: string;
  readonly to?: string;
  readonly number?: string;
  readonly subject?: string;
  readonly enabled?: boolean;
}

function withFields(command: Command): Command {
  return command
    .option('--host <host>', 'the SMTP server')
    .option('--port <port>', '1 to 65535; 587 if left out')
    .addOption(
      withChoices(
        new Option('--security <security>', `${MAIL_SECURITY.join(', ')}; starttls if left out`),
        MAIL_SECURITY,
      ),
    )
    .option('--sign-in-name <name>', 'sign-in name at the server; "" for none')
    .option(
      '--password <password>',
      '- prompts for it without showing it, or reads it from standard input; "" removes it',
    )
    .option('--from <address>', 'sender address of the e-mails')
    .option('--to <addresses>', 'recipients: up to 20 addresses, separated by commas')
    .option(
      '--number <number>',
      'only faxes to this number; "" for numbers that are not in another connector',
    )
    .option(
      '--subject <subject>',
      'with {from_number}, {to_number}, {pages}, {received_at}, {mailbox}, {contact}',
    )
    .addOption(booleanOption('--enabled', 'whether it sends new faxes'));
}

async function fieldsOf(options: Options) {
  const { name, host, port, security, signInName, password, from, to, number, subject, enabled } = options;
  return {
    name,
    host,
    port: port === undefined ? undefined : Number(port),
    security,
    username: signInName,
    password: password === '-' ? (await readSecrets(['Password']))[0] : password,
    from_address: from,
    recipients: to,
    match_number: number,
    subject_template: subject,
    enabled,
  };
}

function addCreate(connectors: Command): void {
  const create = connectors
    .command('create')
    .description('Create an e-mail connector. New faxes are sent to its recipients.')
    .argument('<name>');
  withFields(create).action(
    action<Options>(async ({ options, client, answer }, name = '') => {
      const { host = '', from_address = '', recipients = [], ...fields } = await fieldsOf(options);
      const body = { ...fields, name, host, from_address, recipients };
      answer(await (await client()).intake.createConnector({ body }), describe);
    }),
  );
}

function addChange(connectors: Command): void {
  const change = connectors
    .command('change')
    .description('Change an e-mail connector. Anything left out stays the same.')
    .argument('<connector>', CONNECTOR)
    .option('--name <name>');
  withFields(change).action(
    action<Options>(async ({ options, client, answer }, given = '') => {
      const wanted = requireChange(await fieldsOf(options));
      const rooms = await client();
      const found = await findConnector(rooms, given);
      const {
        id,
        has_password: _has,
        has_oauth: _oauth,
        oauth_provider: _provider,
        oauth_problem: _problem,
        last_test: _test,
        created_at: _made,
        updated_at: _at,
        ...before
      } = found;
      const changes = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const body = { ...before, ...changes };
      answer(await rooms.intake.changeConnector({ params: { id }, body }), describe);
    }),
  );
}

function addRemove(connectors: Command): void {
  connectors
    .command('remove')
    .description('Remove an e-mail connector. E-mails that it has not sent yet fail.')
    .argument('<connector>', CONNECTOR)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findConnector(rooms, given);
        const removed = await rooms.intake.removeConnector({ params: { id }, body: { version } });
        answer(removed, ({ name }) => `Removed ${name}.`);
      }),
    );
}

function addTest(connectors: Command): void {
  connectors
    .command('test')
    .description('Send a short test message to the recipients of an e-mail connector.')
    .argument('<connector>', CONNECTOR)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id } = await findConnector(rooms, given);
        const result = await rooms.intake.testConnector({ params: { id } });
        answer(result, ({ detail }) => detail);
        if (!result.ok) throw new CommandFailure('The e-mail connector does not work.', EXIT.failed);
      }),
    );
}
