import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { auditRoutes } from '../../../shared/api/audit.ts';
import { auditSentence } from '../../../shared/audit-sentences.ts';
import type { Client } from '../../../shared/client/index.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { withChoices } from '../choice-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findPerson } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { table, terminal } from '../terminal.ts';

/** The actor of whatever the installation key did; it is nobody's and not among the people. */
const INSTALLATION_KEY = 'bootstrap';

export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('Show the security audit: changes, refusals and opened documents.');
  addList(audit);
  addExport(audit);
  addVerify(audit);
}

interface FilterOptions {
  readonly actor?: string;
  readonly target?: string;
  readonly operation?: string;
  readonly outcome?: 'done' | 'refused';
  readonly since?: string;
  readonly until?: string;
}

function filtered(command: Command): Command {
  return command
    .option('--actor <who>', `id, sign-in name or name; ${INSTALLATION_KEY} for the installation key`)
    .option('--target <id>', 'the target of the event')
    .option('--operation <operations>', 'e.g. key.create; several with commas')
    .addOption(withChoices(new Option('--outcome <outcome>', 'done or refused'), ['done', 'refused']))
    .option('--since <time>', 'at or after this time, e.g. 2026-11-01T00:00:00Z')
    .option('--until <time>', 'before this time');
}

async function filterOf(rooms: Client, { actor, target, operation, outcome, since, until }: FilterOptions) {
  const isPerson = actor !== undefined && actor !== INSTALLATION_KEY;
  const actor_id = isPerson ? (await findPerson(rooms, actor)).item.id : actor;
  return { actor_id, target_id: target, operation, outcome, since, until };
}

function addList(audit: Command): void {
  const list = audit
    .command('list')
    .description('List changes, refusals and opened documents, newest first.');
  addPagingOptions(filtered(list)).action(
    action<FilterOptions & PageOptions>(async ({ options, client, answer }) => {
      const rooms = await client();
      const { limit, cursor } = options;
      const query = { ...(await filterOf(rooms, options)), limit, cursor };
      answer(await rooms.audit.listAudit({ query }), (page) => {
        const rows = page.items.map((entry) => [
          entry.at,
          `${auditSentence(entry)}.`,
          String(entry.count),
          entry.credential_kind,
          entry.operation,
          entry.outcome,
          entry.target.id === null ? entry.target.kind : `${entry.target.kind} ${entry.target.id}`,
        ]);
        return appendNextPage(
          table(['AT', 'WHAT HAPPENED', 'TIMES', 'WITH', 'OPERATION', 'OUTCOME', 'TARGET'], rows),
          page,
        );
      });
    }),
  );
}

interface ExportOptions extends FilterOptions {
  readonly output: string;
  readonly format: 'csv' | 'json';
  readonly overwrite?: true;
}

function addExport(audit: Command): void {
  const command = audit
    .command('export')
    .description('Save the security audit as a file, newest first.')
    .requiredOption('--output <file>', 'where to save it')
    .option('--format <format>', 'csv (safe to open in a spreadsheet) or json', 'csv')
    .option('--overwrite', 'replace an existing file once the new one is complete');
  filtered(command).action(
    action<ExportOptions>(async ({ options, client }) => {
      const { output: file } = options;
      const path = resolve(file);
      if (existsSync(path) && !options.overwrite)
        throw new CommandFailure(`${file} already exists. Use --overwrite to replace it.`, EXIT.conflict);
      const rooms = await client();
      const query = { ...(await filterOf(rooms, options)), format: options.format };
      const pieces = rooms.stream(auditRoutes.exportAudit, { query });
      await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
      terminal.note(`Saved as ${file}.`);
    }),
  );
}

interface VerifyOptions {
  readonly offline?: true;
  readonly file?: string;
}

/** Loaded when it is needed: it brings the database with it. */
const work = () => import('../audit-work.ts');

function addVerify(audit: Command): void {
  audit
    .command('verify')
    .description('Check that no record of the security audit is missing or altered, or check an audit file.')
    .option('--offline', 'read the database in the data folder instead of asking the gateway')
    .option('--file <file>', 'check an audit file (AUDIT_LOG_FILE) instead, also a rotated one')
    .addHelpText('after', '\nThe exit code is 1 when something is missing or altered.')
    .action(
      action<VerifyOptions>(async ({ options, client, answer }) => {
        const found = await verified(options, client);
        if (!found.intact) throw new CommandFailure(found.sentence);
        answer(found, ({ sentence }) => sentence);
      }),
    );
}

async function verified(
  { file, offline, data }: VerifyOptions & { data?: string },
  client: () => Promise<Client>,
) {
  if (file !== undefined) return (await work()).verifyFile(file);
  if (offline) return (await work()).verifyStore(data);
  return (await client()).audit.verifyAudit();
}
