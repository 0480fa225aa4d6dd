import { RefusalError } from '../../platform/errors.ts';

class DirectRefusalError extends RefusalError {
  override name = 'DirectRefusalError';
}

/** While direct delivery is off its addresses do not exist. */
export const noSuchAddress = () => new DirectRefusalError('no_such_address');
export const incomplete = (sentence: string) => new DirectRefusalError('direct_incomplete', { sentence });
export const noSuchPartner = () => new DirectRefusalError('no_such_partner');
export const cardRefused = (sentence: string) => new DirectRefusalError('card_refused', { sentence });
export const ownCardGiven = (sentence: string) => new DirectRefusalError('own_card', { sentence });
export const addressRefused = (sentence: string) =>
  new DirectRefusalError('partner_address_refused', { sentence });
export const tooManyPartners = (sentence: string) =>
  new DirectRefusalError('too_many_partners', { sentence });
export const partnerRemoved = () => new DirectRefusalError('partner_removed');
export const codeRefused = (sentence: string) => new DirectRefusalError('partner_code_refused', { sentence });
export const partnerUnreachable = (sentence: string) =>
  new DirectRefusalError('partner_unreachable', { sentence });
/** Refusals of requests of partners. */
export const unreadable = (sentence: string, cause?: unknown) =>
  new DirectRefusalError('direct_unreadable', { sentence, cause });
export const unknownSender = () => new DirectRefusalError('direct_unknown_sender');
export const badSignature = () => new DirectRefusalError('direct_bad_signature');
export const notTaken = (sentence: string) => new DirectRefusalError('direct_not_taken', { sentence });
export const stale = () => new DirectRefusalError('stale');
