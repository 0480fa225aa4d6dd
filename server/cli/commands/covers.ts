import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { COVER_FIELDS, type CoverField } from '../../../shared/covers.ts';
import { action } from '../command.ts';
import { addCoverFieldOption, type CoverOptions, coverFieldsOf } from '../cover-options.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { type CoverAnswer, findCover } from '../find-cover.ts';
import { openFiles } from '../open-files.ts';
import { facts, table } from '../terminal.ts';

const COVER = 'id or name';

export function addCoversCommands(program: Command): void {
  const covers = program.command('covers').description('Manage cover pages.');
  covers
    .command('list')
    .description('List cover pages: the built-in ones, then your own by name.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).covers.listCovers({ query: {} }), ({ items }) =>
          table(
            ['ID', 'NAME', 'KIND'],
            items.map((cover) => [cover.id, cover.name, kindOf(cover)]),
          ),
        );
      }),
    );
  addShow(covers);
  addAdd(covers);
  covers
    .command('remove')
    .description('Remove a cover page. Contacts and mailboxes that have it then have none.')
    .argument('<cover>', COVER)
    .action(
      action(async ({ client, answer }, name = '') => {
        const rooms = await client();
        const { id, version } = await findCover(rooms, name);
        const { used_by: usedBy } = await rooms.covers.getCover({ params: { id } });
        answer(await rooms.covers.removeCover({ params: { id }, body: { version } }), () =>
          usedBy.contacts + usedBy.mailboxes === 0
            ? 'Removed.'
            : `Removed. It was the cover page of ${usedBy.contacts} contacts and ${usedBy.mailboxes} mailboxes, which now have none.`,
        );
      }),
    );
}

function addShow(covers: Command): void {
  const show = covers
    .command('show')
    .description('Show a cover page, or write a picture of it with the given values.')
    .argument('<cover>', COVER)
    .option('--output <file>', 'write a PNG of what the receiving machine prints to this file')
    .option('--to <number>', 'number of the recipient in the picture');
  addCoverFieldOption(show).action(
    action<CoverOptions & { output?: string; to?: string }>(
      async ({ options, client, answer }, name = '') => {
        const rooms = await client();
        const { id } = await findCover(rooms, name);
        if (options.output !== undefined) {
          const { to } = options;
          const body = {
            cover: id,
            cover_fields: coverFieldsOf(options),
            ...(to === undefined ? {} : { to }),
          };
          const picture = await rooms.covers.previewCover({ body });
          await writeFile(options.output, picture).catch(() => {
            throw new CommandFailure(`The file ${options.output} cannot be written.`, EXIT.badValues);
          });
        }
        answer(await rooms.covers.getCover({ params: { id } }), (cover) =>
          facts([
            ['Cover page', cover.id],
            ['Name', cover.name],
            ['Kind', kindOf(cover)],
            ...(cover.kind === 'pdf'
              ? [['Form fields', cover.form_fields.join(', ')] as const]
              : ([
                  ['Title', cover.title],
                  ['Fields', cover.fields.join(', ')],
                  ['Logo', cover.has_logo ? 'yes' : 'no'],
                  ...(cover.text === '' ? [] : [['Text', cover.text] as const]),
                  ...(cover.notice === '' ? [] : [['Notice', cover.notice] as const]),
                ] as const)),
            ['Contacts with it', String(cover.used_by.contacts)],
            ['Mailboxes with it', String(cover.used_by.mailboxes)],
          ]),
        );
      },
    ),
  );
}

interface AddOptions {
  readonly title?: string;
  readonly fields?: string;
  readonly text?: string;
  readonly notice?: string;
  readonly logo?: string;
  readonly pdf?: string;
}

function addAdd(covers: Command): void {
  covers
    .command('create')
    .description('Create a cover page: a page drawn from its parts, or a PDF with form fields.')
    .argument('<name>', 'name of the cover page')
    .option('--title <text>', 'largest line of the page; Fax if left out')
    .option('--fields <names>', `fields in order, with commas: ${COVER_FIELDS.join(',')}`)
    .option('--text <text>', 'text below the fields; {name} is replaced by the field of that name')
    .option('--notice <text>', 'confidentiality notice at the foot of the page')
    .option('--logo <file>', 'PNG or JPEG in the upper right corner')
    .option('--pdf <file>', 'PDF of one page whose form fields are filled in, in place of all others')
    .action(
      action<AddOptions>(async ({ options, client, answer }, name = '') => {
        const { title, fields, text, notice, logo, pdf } = options;
        if (logo !== undefined && pdf !== undefined)
          throw new CommandFailure('Use either --logo or --pdf.', EXIT.badValues);
        const path = pdf ?? logo;
        const rooms = await client();
        const form = {
          name,
          ...(title === undefined ? {} : { title }),
          ...(fields === undefined ? {} : { fields: fields.split(',') as CoverField[] }),
          ...(text === undefined ? {} : { text }),
          ...(notice === undefined ? {} : { notice }),
        };
        const files = path === undefined ? {} : { file: await openFiles([path]) };
        answer(await rooms.covers.createCover({ fields: form, files }), (cover) => `Created: ${cover.id}`);
      }),
    );
}

const kindOf = ({ built_in, kind }: CoverAnswer): string =>
  built_in ? 'built in' : kind === 'pdf' ? 'PDF' : 'own';
