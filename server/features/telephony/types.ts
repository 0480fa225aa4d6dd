import type { z } from 'zod';
import type { InboundHandOver } from '../../../shared/api/telephony.ts';
import type { HandOverFailure } from './hand-over-failure.ts';

/** Identity of an image, independent of the path or call that names it. */
export interface ImageIdentity {
  readonly device: string;
  readonly inode: string;
  readonly sha256: string;
}

/** Name of a fax of the telephone engine: the same call id under two trunks is two faxes. */
export interface FaxName {
  /** `sip:` and the user of the trunk. */
  readonly account: string;
  readonly callId: string;
}

/** A call that has ended and whose image was not taken from the telephone engine. */
export interface LeftoverCall {
  /** Hand-over of the engine; null where only its numbers are known. */
  readonly order: z.infer<typeof InboundHandOver> | null;
  /** E.164; null where it is not known. */
  readonly from: string | null;
  readonly to: string | null;
  /** Reason why the script could not hand it over; null where the gateway got the hand-over and refused it. */
  readonly failure: HandOverFailure | null;
  /** Sentence for a person that says why the image was left. */
  readonly sentence: string;
}
