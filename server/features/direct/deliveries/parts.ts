import type { DirectParts } from '../parts.ts';
import type { UnderWay } from './under-way.ts';

/** Dependencies of sending documents to partners. */
export type SendingParts = Pick<
  DirectParts,
  'db' | 'clock' | 'logger' | 'settings' | 'identity' | 'peers'
> & {
  /** Aborted when the gateway stops. */
  readonly signal: AbortSignal;
};

/** Dependencies of taking documents from partners. */
export type ReceivingParts = Pick<
  DirectParts,
  'db' | 'clock' | 'logger' | 'settings' | 'identity' | 'inbound' | 'maxFileBytes' | 'newFile'
> & {
  readonly underWay: UnderWay;
};
