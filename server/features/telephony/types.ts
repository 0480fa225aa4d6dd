import type { z } from 'zod';
import type { InboundHandOver } from '../../../shared/api/telephony.ts';
import type { HandOverFailure } from './hand-over-failure.ts';

/** What an image is, by whatever path or call it is named. */
export interface ImageIdentity {
  readonly device: string;
  readonly inode: string;
  readonly sha256: string;
}

/** What names a fax of the telephone engine: the same call id under two trunks is two faxes. */
export interface FaxName {
  /** `sip:` and the user of the trunk. */
  readonly account: string;
  readonly callId: string;
}

/** A call that has ended and whose image was not taken from the telephone engine. */
export interface LeftCall {
  /** What the engine said of it; null where only its numbers are known. */
  readonly order: z.infer<typeof InboundHandOver> | null;
  /** E.164; null where it is not known. */
  readonly from: string | null;
  readonly to: string | null;
  /** Why the script could not hand it over; null where the gateway had the hand-over and refused it. */
  readonly failure: HandOverFailure | null;
  /** For a person: what kept the image. */
  readonly sentence: string;
}
