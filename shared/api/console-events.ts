import { z } from 'zod';
import type { Permission } from '../permissions.ts';
import { EntityRef } from './access-values.ts';
import { Id, Version } from './values.ts';

/** Position of a listener: later events were not delivered to it yet. */
export const EventId = z.string().min(1).max(80);

const OfTest = z
  .literal(true)
  .optional()
  .describe('true for a fax of a test key, which is in a list only if it includes test faxes');

/**
 * Payloads of the events, with id and version only. Listeners load the details, for which their permissions are
 * checked.
 */
export const CONSOLE_EVENTS = {
  'fax.changed': z.strictObject({ id: Id, delivery_version: Version, test: OfTest }),
  'inbound.changed': z.strictObject({ id: Id, version: Version, test: OfTest }),
  'broadcast.changed': EntityRef,
  'senders.changed': z.strictObject({}),
  'work.changed': EntityRef,
  'presence.changed': EntityRef,
  'printed.changed': EntityRef,
  'contact.changed': z.strictObject({
    id: Id.nullable().describe('null if many changed at once, for example by an import'),
    version: Version,
  }),
  'partner.changed': EntityRef,
  'call.changed': EntityRef,
  'intake.changed': EntityRef,
  'printout.changed': EntityRef,
  'settings.changed': z.strictObject({ generation: Version }),
  'installation.changed': z.strictObject({}),
} as const;
export type ConsoleEventKind = keyof typeof CONSOLE_EVENTS;

/**
 * Permission that a listener needs on the changed item's resource to receive the event; null for none. The sender of a
 * fax receives it as well.
 */
export const EVENT_PERMISSIONS = {
  'fax.changed': 'fax:read',
  'inbound.changed': 'inbound:list',
  'broadcast.changed': 'fax:read',
  'senders.changed': 'senders:block',
  'work.changed': 'work:read',
  'presence.changed': 'inbound:read',
  'printed.changed': 'fax:send',
  'contact.changed': 'contacts:read',
  'partner.changed': 'settings:read',
  'call.changed': 'providers:read',
  'intake.changed': 'mailboxes:read',
  'printout.changed': 'inbound:read',
  'settings.changed': 'settings:read',
  'installation.changed': null,
} as const satisfies Record<ConsoleEventKind, Permission | null>;

const ConsoleEvent = z
  .discriminatedUnion('kind', [
    z.strictObject({
      id: EventId,
      kind: z.literal('fax.changed'),
      data: CONSOLE_EVENTS['fax.changed'].describe('requires fax:read on the fax, or being its sender'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('inbound.changed'),
      data: CONSOLE_EVENTS['inbound.changed'].describe('requires inbound:list on the fax'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('broadcast.changed'),
      data: CONSOLE_EVENTS['broadcast.changed'].describe(
        'a broadcast or its recipients changed, reported about once a second while it is sent; requires fax:read on it, or being its sender',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('senders.changed'),
      data: CONSOLE_EVENTS['senders.changed'].describe(
        'a sender was blocked or unblocked; requires senders:block',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('work.changed'),
      data: CONSOLE_EVENTS['work.changed'].describe('requires work:read on the fax'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('presence.changed'),
      data: CONSOLE_EVENTS['presence.changed'].describe(
        'someone opened or left the received fax with this id; for people with inbound:read on it',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('printed.changed'),
      data: CONSOLE_EVENTS['printed.changed'].describe(
        'a document was printed to Faxdesk, taken or removed; for the person whose document it is, and for everyone with fax:send while it is no one’s',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('contact.changed'),
      data: CONSOLE_EVENTS['contact.changed'].describe(
        'requires contacts:read; also sent for a removed contact',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('partner.changed'),
      data: CONSOLE_EVENTS['partner.changed'].describe(
        'a partner of direct delivery changed; requires settings:read',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('call.changed'),
      data: CONSOLE_EVENTS['call.changed'].describe('requires providers:read'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('intake.changed'),
      data: CONSOLE_EVENTS['intake.changed'].describe('an e-mail delivery changed; requires mailboxes:read'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('printout.changed'),
      data: CONSOLE_EVENTS['printout.changed'].describe(
        'a printout of a received fax changed; requires mailboxes:read',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('settings.changed'),
      data: CONSOLE_EVENTS['settings.changed'].describe('requires settings:read'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('installation.changed'),
      data: CONSOLE_EVENTS['installation.changed'].describe(
        'sent to everyone: a setting changed, and the data on screen may be outdated',
      ),
    }),
  ])
  .meta({ id: 'ConsoleEvent' });

export const ConsoleChanges = z
  .strictObject({
    events: z.array(ConsoleEvent).describe('oldest first'),
    next: EventId.describe('send this as `after` next time'),
    reset: z.boolean().describe('some events are no longer available; read everything again'),
  })
  .meta({ id: 'ConsoleChanges' });
