import type { EventBus } from '../../../platform/events.ts';
import type { DirectParts } from '../parts.ts';

export interface PartnerEvents {
  'partner.changed': { readonly id: string; readonly version: number };
}

export interface PartnerParts extends DirectParts {
  readonly events: EventBus<PartnerEvents>;
}
