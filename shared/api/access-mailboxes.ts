import { z } from 'zod';
import {
  CurrentPolicyVersion,
  DisplayName,
  ItemVersionsIn,
  itemVersions,
  newItemVersions,
  pageQuery,
  policyPageOf,
  stamps,
} from './access-values.ts';
import { defineRoute } from './route.ts';
import { Id, IdParams } from './values.ts';

const room = 'access';
const badBody = 'sentence';

export const AccessMailbox = z
  .strictObject({
    id: Id,
    label: z.string(),
    enabled: z.boolean().describe('no faxes are filed in a disabled mailbox; the faxes already in it stay'),
    numbers: z.array(z.string()).describe('E.164 numbers whose faxes are filed here'),
    cover_id: Id.nullable().describe('id of the cover page of faxes sent for it; null for none'),
    ...stamps,
  })
  .meta({ id: 'AccessMailbox' });

export const InboundRule = z
  .strictObject({
    id: Id,
    to_number: z.string().describe('E.164'),
    mailbox: z.strictObject({ id: Id, label: z.string(), enabled: z.boolean() }),
    ...stamps,
  })
  .meta({ id: 'InboundRule' });

const MailboxChanged = z.strictObject({ mailbox: AccessMailbox, policy_version: CurrentPolicyVersion });
const RuleChanged = z.strictObject({ rule: InboundRule, policy_version: CurrentPolicyVersion });
const CoverId = Id.nullable().describe('id of the cover page of faxes sent for it; null for none');
const Number = z.string().min(1).max(40).describe('with +, or a national number of the default country');

/** Mailboxes, and which number is filed where. */
export const mailboxRoutes = {
  listMailboxes: defineRoute({
    id: 'listMailboxes',
    room,
    method: 'GET',
    path: '/access/mailboxes',
    summary: 'List mailboxes, by label',
    access: 'mailboxes:read',
    query: z.strictObject(pageQuery),
    answer: { status: 200, schema: policyPageOf(AccessMailbox) },
  }),
  createMailbox: defineRoute({
    id: 'createMailbox',
    room,
    method: 'POST',
    path: '/access/mailboxes',
    summary: 'Create a mailbox',
    access: 'mailboxes:manage',
    audited: { operation: 'mailbox.create', target: 'mailbox' },
    badBody,
    body: z.strictObject({
      label: DisplayName,
      enabled: z.boolean().default(true),
      cover_id: CoverId.default(null),
      ...newItemVersions,
    }),
    answer: { status: 200, schema: MailboxChanged },
    refusals: ['name_taken', 'stale'],
  }),
  changeMailbox: defineRoute({
    id: 'changeMailbox',
    room,
    method: 'PATCH',
    path: '/access/mailboxes/:id',
    summary: 'Rename, enable or disable a mailbox, or choose its cover page',
    access: 'mailboxes:manage',
    audited: { operation: 'mailbox.change', target: 'mailbox', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      label: DisplayName.optional(),
      enabled: z.boolean().optional(),
      cover_id: CoverId.optional(),
      ...itemVersions,
    }),
    answer: { status: 200, schema: MailboxChanged },
    refusals: ['no_such_mailbox', 'name_taken', 'faxes_not_seen', 'stale'],
  }),
  listInboundRules: defineRoute({
    id: 'listInboundRules',
    room,
    method: 'GET',
    path: '/access/inbound-rules',
    summary: 'List the number rules, by number',
    access: 'mailboxes:read',
    query: z.strictObject({ mailbox_id: Id.optional(), ...pageQuery }),
    answer: { status: 200, schema: policyPageOf(InboundRule) },
  }),
  createInboundRule: defineRoute({
    id: 'createInboundRule',
    room,
    method: 'POST',
    path: '/access/inbound-rules',
    summary: 'File the faxes to a number in a mailbox',
    description: 'Faxes received earlier stay where they are.',
    access: 'mailboxes:manage',
    audited: { operation: 'inbound_rule.create', target: 'inbound_rule' },
    badBody,
    body: z.strictObject({ to_number: Number, mailbox_id: Id, ...newItemVersions }),
    answer: { status: 200, schema: RuleChanged },
    refusals: ['invalid_fax_number', 'no_such_mailbox', 'number_taken', 'faxes_not_seen', 'stale'],
  }),
  changeInboundRule: defineRoute({
    id: 'changeInboundRule',
    room,
    method: 'PATCH',
    path: '/access/inbound-rules/:id',
    summary: 'Change the number or the mailbox of a number rule',
    access: 'mailboxes:manage',
    audited: { operation: 'inbound_rule.change', target: 'inbound_rule', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({ to_number: Number.optional(), mailbox_id: Id.optional(), ...itemVersions }),
    answer: { status: 200, schema: RuleChanged },
    refusals: [
      'invalid_fax_number',
      'no_such_number_rule',
      'no_such_mailbox',
      'number_taken',
      'faxes_not_seen',
      'stale',
    ],
  }),
  removeInboundRule: defineRoute({
    id: 'removeInboundRule',
    room,
    method: 'POST',
    path: '/access/inbound-rules/:id/remove',
    summary: 'Remove a number rule; new faxes to the number then go to no mailbox',
    access: 'mailboxes:manage',
    audited: { operation: 'inbound_rule.remove', target: 'inbound_rule', param: 'id' },
    badBody,
    params: IdParams,
    body: ItemVersionsIn,
    answer: { status: 200, schema: RuleChanged },
    refusals: ['no_such_number_rule', 'faxes_not_seen', 'stale'],
  }),
} as const;
