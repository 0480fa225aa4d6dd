import type { z } from 'zod';
import type { Presence } from '../../../shared/api/presence.ts';
import type { ReceivedFaxAccess } from '../inbound/types.ts';

export type PresenceAnswer = z.infer<typeof Presence>;

export interface Person {
  readonly id: string;
  readonly name: string;
}

/** A received fax with the fields that decide who may see it. */
export type OpenFax = ReceivedFaxAccess;
