import type { LeftoverCall } from '../types.ts';
import type { HandOverFailure } from './failure.ts';

/** Identity of an image, independent of the path or call that names it. */
export interface ImageIdentity {
  readonly device: string;
  readonly inode: string;
  readonly sha256: string;
}

/** A call whose image was left, with the reason of its failed hand-over. */
export interface FailedCall extends LeftoverCall {
  /** Reason why the script could not hand it over; null where the gateway got the hand-over and refused it. */
  readonly failure: HandOverFailure | null;
}
