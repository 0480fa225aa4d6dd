import { RefusalError } from '../../platform/errors.ts';

class BroadcastRefusalError extends RefusalError {
  override name = 'BroadcastRefusalError';
}

/** Thrown when a recipient gets no fax after all, because the broadcast was paused or canceled in the same moment. */
export class BroadcastStoppedError extends Error {
  override name = 'BroadcastStoppedError';
}

export const noSuchBroadcast = () => new BroadcastRefusalError('no_such_broadcast');
export const notAllowed = () => new BroadcastRefusalError('not_allowed');
export const broadcastRefused = (sentence: string) =>
  new BroadcastRefusalError('broadcast_refused', { sentence });
export const recipientsRefused = (sentence: string) =>
  new BroadcastRefusalError('recipients_refused', { sentence });
export const noRecipients = (sentence: string) => new BroadcastRefusalError('no_recipients', { sentence });
export const tooManyRecipients = () => new BroadcastRefusalError('too_many_recipients');
export const whichRecipients = () => new BroadcastRefusalError('which_recipients');
export const unknownColumn = (column: string) =>
  new BroadcastRefusalError('unknown_merge_column', {
    sentence: `No line of the list has a value in a column “${column}”. Correct the cover page. Nothing was sent.`,
  });
