import { RefusalError } from '../../platform/errors.ts';

class DirectRefusalError extends RefusalError {
  override name = 'DirectRefusalError';
}

/** While direct delivery is off its addresses do not exist. */
export const noSuchAddress = () => new DirectRefusalError('no_such_address');
export const incomplete = (sentence: string) => new DirectRefusalError('direct_incomplete', { sentence });
export const stale = () => new DirectRefusalError('stale');
