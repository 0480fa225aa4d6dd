import { z } from 'zod';
import type { Permission } from '../permissions.ts';
import { Id, Version } from './values.ts';

/** Position of a listener: later events were not delivered to it yet. */
export const EventId = z.string().min(1).max(80);

/**
 * Payloads of the events, with id and version only. Listeners load the details, for which their permissions are
 * checked.
 */
export const CONSOLE_EVENTS = {
  'fax.changed': z.strictObject({ id: Id, delivery_version: Version }),
  'inbound.changed': z.strictObject({ id: Id, version: Version }),
  'work.changed': z.strictObject({ id: Id, version: Version }),
  'presence.changed': z.strictObject({ id: Id, version: Version }),
  'contact.changed': z.strictObject({
    id: Id.nullable().describe('null when many changed at once, as by an import'),
    version: Version,
  }),
  'call.changed': z.strictObject({ id: Id, version: Version }),
  'intake.changed': z.strictObject({ id: Id, version: Version }),
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
  'work.changed': 'work:read',
  'presence.changed': 'inbound:read',
  'contact.changed': 'contacts:read',
  'call.changed': 'providers:read',
  'intake.changed': 'mailboxes:read',
  'settings.changed': 'settings:read',
  'installation.changed': null,
} as const satisfies Record<ConsoleEventKind, Permission | null>;

const ConsoleEvent = z
  .discriminatedUnion('kind', [
    z.strictObject({
      id: EventId,
      kind: z.literal('fax.changed'),
      data: CONSOLE_EVENTS['fax.changed'].describe('needs fax:read where the fax is, or to be its sender'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('inbound.changed'),
      data: CONSOLE_EVENTS['inbound.changed'].describe('needs inbound:list where the fax is'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('work.changed'),
      data: CONSOLE_EVENTS['work.changed'].describe('needs work:read where the fax is'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('presence.changed'),
      data: CONSOLE_EVENTS['presence.changed'].describe(
        'somebody opened or left the received fax of this id; for people with inbound:read where it is',
      ),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('contact.changed'),
      data: CONSOLE_EVENTS['contact.changed'].describe('needs contacts:read; also of one that was removed'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('call.changed'),
      data: CONSOLE_EVENTS['call.changed'].describe('needs providers:read'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('intake.changed'),
      data: CONSOLE_EVENTS['intake.changed'].describe('an e-mail delivery; needs mailboxes:read'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('settings.changed'),
      data: CONSOLE_EVENTS['settings.changed'].describe('needs settings:read'),
    }),
    z.strictObject({
      id: EventId,
      kind: z.literal('installation.changed'),
      data: CONSOLE_EVENTS['installation.changed'].describe(
        'everybody hears it: some setting changed, and what consoles show may be another',
      ),
    }),
  ])
  .meta({ id: 'ConsoleEvent' });

export const ConsoleChanges = z
  .strictObject({
    events: z.array(ConsoleEvent).describe('oldest first'),
    next: EventId.describe('to send as `after` next time'),
    reset: z.boolean().describe('some events are gone: read everything again'),
  })
  .meta({ id: 'ConsoleChanges' });
