import type { Command } from 'commander';
import { ENCODED_PAGES, type EncodedPages } from '../../../shared/encoded-pages.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { type Contact, findContact } from '../find-contact.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { readSecrets } from '../read-secrets.ts';
import { facts, table } from '../terminal.ts';
import { addContactFiles } from './contacts-files.ts';
import { addOptOutCommands } from './contacts-opt-outs.ts';

const CONTACT = 'its fax number, its name or its id';
const NUMBER = 'with + and country code, or a national number';

export function addContactsCommands(program: Command): void {
  const contacts = program.command('contacts').description('Manage contacts and how faxes to them are sent.');
  addList(contacts);
  addShow(contacts);
  addDirectory(contacts);
  addAdd(contacts);
  addChange(contacts);
  addRemove(contacts);
  addForgetLine(contacts);
  addContactFiles(contacts);
  addOptOutCommands(contacts);
}

function addList(contacts: Command): void {
  const list = contacts
    .command('list')
    .description('List contacts, by name.')
    .option('--search <words>', 'words from name, organization, tags and note, or part of the number')
    .option('--tag <tag>', 'only contacts with this tag')
    .addOption(booleanOption('--blocked', 'only blocked contacts (yes), or only others (no)'));
  addPagingOptions(list).action(
    action<PageOptions & { search?: string; tag?: string; blocked?: boolean }>(
      async ({ options, client, answer }) => {
        const { search: q, tag, blocked, limit, cursor } = options;
        const query = { q, tag, limit, cursor, ...(blocked !== undefined && { blocked: String(blocked) }) };
        answer(await (await client()).contacts.listContacts({ query }), (page) => {
          const rows = page.items.map((contact) => [
            contact.name,
            contact.organization,
            contact.fax_number,
            contact.blocked ? 'blocked' : reachedOf(contact),
            contact.id,
          ]);
          return appendNextPage(table(['NAME', 'ORGANIZATION', 'FAX NUMBER', 'STATE', 'ID'], rows), page);
        });
      },
    ),
  );
}

function addShow(contacts: Command): void {
  contacts
    .command('show')
    .description('Show a contact.')
    .argument('<contact>', CONTACT)
    .action(
      action(async ({ client, answer }, given = '') => {
        answer(await findContact(await client(), given), describe);
      }),
    );
}

function addDirectory(contacts: Command): void {
  contacts
    .command('directory')
    .description('Search the office directory for fax numbers.')
    .argument('<words...>', 'parts of a name, an organization or a fax number')
    .action(
      action(async ({ client, answer }, ...given) => {
        const q = given.flat().join(' ');
        const query = { q, limit: LIMITS.completions };
        answer(await (await client()).contacts.listDirectoryEntries({ query }), ({ configured, items }) => {
          if (!configured) return 'There is no office directory. The settings DIRECTORY_… name one.';
          if (items.length === 0) return 'Nobody in the office directory matches.';
          const rows = items.map((match) => [
            match.name,
            match.organization,
            match.fax_number,
            match.contact?.name ?? '',
          ]);
          return table(['NAME', 'ORGANIZATION', 'FAX NUMBER', 'CONTACT'], rows);
        });
      }),
    );
}

interface Fields {
  readonly organization?: string;
  readonly note?: string;
  readonly together?: string;
  readonly encodedPages?: EncodedPages;
  readonly sharedKey?: boolean;
  readonly removeSharedKey?: boolean;
  readonly blocked?: boolean;
}

function withFields(command: Command): Command {
  return command
    .option('--organization <name>', 'the organization; "" for none')
    .option('--note <text>', 'a note for people who send faxes; "" for none')
    .option(
      '--together <minutes>',
      'how long a fax can wait for others to the number, to be sent in one call; 0 for never',
    )
    .addOption(
      choiceOption(
        '--encoded-pages <form>',
        ENCODED_PAGES,
        ': pages that carry the document itself, for exactness and encryption, not for speed; the recipient needs Faxdesk or a compatible decoder',
      ),
    )
    .option('--shared-key', 'read the key of encrypted pages from standard input')
    .option('--remove-shared-key', 'remove that key')
    .addOption(booleanOption('--blocked', 'yes blocks all faxes to the number'));
}

async function fieldsOf(options: Fields) {
  const { organization, note, together, encodedPages: encoded_pages, blocked } = options;
  const [typed] = options.sharedKey ? await readSecrets(['Shared key']) : [];
  return {
    organization,
    note,
    send_together_minutes: together === undefined ? undefined : Number(together),
    encoded_pages,
    shared_key: options.removeSharedKey ? null : typed,
    blocked,
  };
}

function addAdd(contacts: Command): void {
  const add = contacts
    .command('create')
    .description('Add a contact.')
    .argument('<name>')
    .argument('<number>', NUMBER);
  withFields(add).action(
    action<Fields>(async ({ options, client, answer }, name = '', fax_number = '') => {
      const body = { name, fax_number, ...(await fieldsOf(options)) };
      answer(await (await client()).contacts.createContact({ body }), describe);
    }),
  );
}

function addChange(contacts: Command): void {
  const change = contacts
    .command('change')
    .description('Change a contact. Anything left out stays the same.')
    .argument('<contact>', CONTACT)
    .option('--name <name>')
    .option('--number <number>', NUMBER);
  withFields(change).action(
    action<Fields & { name?: string; number?: string }>(async ({ options, client, answer }, given = '') => {
      const { name, number: fax_number } = options;
      const patch = requireChange({ name, fax_number, ...(await fieldsOf(options)) });
      const rooms = await client();
      const { id, version } = await findContact(rooms, given);
      answer(await rooms.contacts.changeContact({ params: { id }, body: { ...patch, version } }), describe);
    }),
  );
}

function addRemove(contacts: Command): void {
  contacts
    .command('remove')
    .description('Permanently remove a contact. Faxes from and to its number stay.')
    .argument('<contact>', CONTACT)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findContact(rooms, given);
        const removed = await rooms.contacts.removeContact({ params: { id }, body: { version } });
        answer(removed, ({ name, fax_number }) => `Removed ${name}, ${fax_number}.`);
      }),
    );
}

function addForgetLine(contacts: Command): void {
  contacts
    .command('forget-line')
    .description('Reset the call settings of a contact. The next call uses the best settings.')
    .argument('<contact>', CONTACT)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id } = await findContact(rooms, given);
        answer(await rooms.contacts.forgetLineMemory({ params: { id } }), describe);
      }),
    );
}

function describe(contact: Contact): string {
  const minutes = contact.send_together_minutes;
  return facts([
    ['Contact', contact.id],
    ['Name', contact.name],
    ['Organization', contact.organization],
    ['Fax number', contact.fax_number],
    ['Other fax numbers', contact.other_fax_numbers.join(', ') || null],
    ['Phone', contact.voice_number],
    ['Address', contact.address?.replaceAll('\n', ', ') ?? null],
    ['Tags', contact.tags.join(', ') || null],
    ['Mailbox', contact.owner_mailbox ?? 'everyone'],
    ['Opted out', contact.opted_out_at],
    ['Consent', contact.consent_note],
    ['Send together', minutes === 0 ? 'no' : `within ${minutes} min`],
    ['Encoded pages', contact.encoded_pages],
    ['Shared key', contact.shared_key_fingerprint ?? 'none'],
    ['Blocked', contact.blocked ? 'yes' : 'no'],
    ['Last delivered', contact.last_success_at],
    ['Failed lately', contact.recent_failures],
    ['Phone line', callsOf(contact)],
    ['Note', contact.note],
  ]);
}

/** Describes the settings of calls to the number, as learned from earlier ones. */
function callsOf({ line_memory: learned }: Contact): string {
  if (learned === null) return 'best settings';
  const { without_t38, without_ecm, most_rate_bps: rate, expires_at } = learned;
  const ways = [
    without_t38 ? 'without T.38' : [],
    without_ecm ? 'without error correction' : [],
    rate === null ? [] : `at most ${rate.toLocaleString('en-US')} bit/s`,
  ].flat();
  return `${ways.join(', ')}, until ${expires_at.slice(0, 10)}`;
}

function reachedOf({ recent_failures, last_success_at }: Contact): string {
  if (recent_failures > 0)
    return `failed ${recent_failures === 1 ? 'once' : `${recent_failures} times`} lately`;
  return last_success_at === null ? 'not delivered yet' : `delivered ${last_success_at.slice(0, 10)}`;
}
