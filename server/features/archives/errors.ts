import { RefusalError } from '../../platform/errors.ts';

/** The year or month is not over. */
export const notOver = () => new RefusalError('archive_not_over');
export const pieceMisplaced = () => new RefusalError('archive_piece_misplaced');
export const noRoom = () => new RefusalError('archive_no_room');
export const noSuchUpload = () => new RefusalError('no_such_archive_upload');
export const noSuchRemoval = () => new RefusalError('no_such_archive_removal');
export const removalRunning = () => new RefusalError('archive_removal_running');
export const stale = () => new RefusalError('stale');
