import type { z } from 'zod';
import type { InboundHandOver } from '../../../shared/api/telephony.ts';

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
  /** Sentence for a person that says why the image was left. */
  readonly sentence: string;
}
