import { RefusalError } from '../../platform/errors.ts';

export class TelephonyRefusalError extends RefusalError {
  override name = 'TelephonyRefusalError';
}

export const forged = (reason: string) =>
  new TelephonyRefusalError('invalid_credential', { message: `not genuine: ${reason}` });
export const noSecretYet = () => new TelephonyRefusalError('no_inbound_secret');
export const badHandOver = (sentence: string) => new TelephonyRefusalError('invalid_request', { sentence });
export const badImage = (sentence: string, cause?: unknown) =>
  new TelephonyRefusalError('image_refused', { sentence, cause });
export const badNumber = () => new TelephonyRefusalError('invalid_fax_number');
export const notSetUp = (what: string) => badSetup(`The phone line is not set up yet: set ${what} first.`);
export const badSetup = (sentence: string) => new TelephonyRefusalError('telephony_not_set_up', { sentence });
