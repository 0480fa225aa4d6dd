import { RefusalError } from '../../platform/errors.ts';

/** The year or month is not over. */
export const notOver = () => new RefusalError('archive_not_over');
