import type { Command } from 'commander';
import type { z } from 'zod';
import type { AddedDirectPartner, DirectPartner } from '../../../shared/api/direct-partners.ts';
import type { Client } from '../../../shared/client/index.ts';
import { ERRORS } from '../../../shared/errors/all.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table } from '../terminal.ts';

type Partner = z.infer<typeof DirectPartner>;

const PARTNER = 'its organization, fax number or id';

/** Adds `partners` to the commands of direct delivery. */
export function addPartnersCommands(direct: Command): void {
  const partners = direct.command('partners').description('Manage the partners of direct delivery.');
  addList(partners);
  addAdd(partners);
  addChallenge(partners);
  addConfirm(partners);
  addRevoke(partners);
}

function addList(partners: Command): void {
  partners
    .command('list')
    .description('List partners, newest first.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).direct.listPartners(), ({ items }) =>
          items.length === 0 ? 'No partners.' : table(HEAD, items.map(rowOf)),
        );
      }),
    );
}

const HEAD = ['ORGANIZATION', 'FAX NUMBER', 'STATE', 'FAXES TO THEM', 'UNTIL', 'LAST EXCHANGE', 'ID'];

const rowOf = (partner: Partner): string[] => [
  partner.organization,
  partner.fax_number,
  partner.state,
  partner.sends_directly ? 'directly' : 'by phone',
  partner.expires_at?.slice(0, 10) ?? '',
  partner.last_exchange_at ?? 'never',
  partner.id,
];

function addAdd(partners: Command): void {
  partners
    .command('create')
    .description('Add a partner by its card, or replace the card of one.')
    .argument('<card>', 'the card as one line of text; from a file: "$(cat card.txt)"')
    .option('--check', 'show what is on the card and add nothing')
    .action(
      action<{ check?: true }>(async ({ options, client, answer }, given = '') => {
        const body = { card: given, check_only: options.check ?? false };
        answer(await (await client()).direct.addPartner({ body }), describeAdded);
      }),
    );
}

function addChallenge(partners: Command): void {
  partners
    .command('challenge')
    .description('Fax a code to a partner, which is typed there within 7 days.')
    .argument('<partner>', PARTNER)
    .option('--mailbox <mailbox>', 'the mailbox that the fax is sent for')
    .action(
      action<{ mailbox?: string }>(async ({ options, client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findPartner(rooms, given);
        const body = { version, mailbox: options.mailbox };
        answer(await rooms.direct.challengePartner({ params: { id }, body }), describe);
      }),
    );
}

function addConfirm(partners: Command): void {
  partners
    .command('confirm')
    .description('Return the code that a partner faxed.')
    .argument('<partner>', PARTNER)
    .argument('<code>', 'the digits of the code; spaces and dashes are ignored')
    .action(
      action(async ({ client, answer }, given = '', code = '') => {
        const rooms = await client();
        const { id } = await findPartner(rooms, given);
        answer(await rooms.direct.confirmPartner({ params: { id }, body: { code } }), describe);
      }),
    );
}

function addRevoke(partners: Command): void {
  partners
    .command('revoke')
    .description('Remove a partner: faxes to its number go by phone again.')
    .argument('<partner>', PARTNER)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findPartner(rooms, given);
        answer(await rooms.direct.revokePartner({ params: { id }, body: { version } }), describe);
      }),
    );
}

/** Finds a partner by id, fax number or organization. Two that fit are refused. */
async function findPartner({ direct }: Client, typed: string): Promise<Partner> {
  const { items } = await direct.listPartners();
  const byId = items.find(({ id }) => id === typed);
  if (byId) return byId;
  const wanted = typed.trim().toLowerCase();
  const number = wanted.replaceAll(/[\s().-]/gu, '');
  const [found, second] = items.filter(
    ({ organization, fax_number }) => organization.toLowerCase() === wanted || fax_number === number,
  );
  if (!found) throw new CommandFailure(ERRORS.no_such_partner.sentence, EXIT.notFound);
  if (!second) return found;
  throw new CommandFailure('Several partners fit. Use the id instead.', EXIT.conflict);
}

function describeAdded({ sentence, card, partner }: z.infer<typeof AddedDirectPartner>): string {
  const { organization, fax_number, endpoint, fingerprint } = card;
  return facts([
    ['Result', sentence],
    ['Organization', organization],
    ['Fax number', fax_number],
    ['Address', endpoint],
    ['Fingerprint', fingerprint],
    ...(partner === null ? [] : [['Partner', partner.id] as const]),
  ]);
}

function describe(partner: Partner): string {
  const { number_confirmed_at, number_expires_at, code_expires_at } = partner;
  return facts([
    ['Partner', partner.id],
    ['Organization', partner.organization],
    ['Fax number', partner.fax_number],
    ['Address', partner.endpoint],
    ['State', `${partner.state}. ${partner.status}`],
    ...(code_expires_at === null ? [] : [['Code valid until', code_expires_at] as const]),
    ...(number_confirmed_at === null ? [] : [['Number checked', number_confirmed_at] as const]),
    ...(number_expires_at === null ? [] : [['Check ends', number_expires_at] as const]),
    ['Last exchange', partner.last_exchange_at ?? 'never'],
    ['Fingerprint', partner.fingerprint],
  ]);
}
