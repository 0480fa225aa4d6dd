import type { FixedErrorCode } from '../../../shared/errors/all.ts';
import { RefusalError } from '../../platform/errors.ts';

class WorkRefusalError extends RefusalError {
  override name = 'WorkRefusalError';
}

export const noSuchItem = () => new WorkRefusalError('no_such_work_item');
export const notAllowed = () => new WorkRefusalError('not_allowed');
export const itemChanged = () => new WorkRefusalError('work_item_changed');
export const refused = (code: FixedErrorCode) => new WorkRefusalError(code);
export const assigneeRefused = (name: string | null) =>
  new WorkRefusalError('assignee_refused', {
    sentence:
      name === null
        ? 'There is no such person.'
        : `${name} cannot be assigned this: they cannot see it, are disabled, or have not set their own password.`,
  });
export const wrongSpan = () => new WorkRefusalError('wrong_span');
export const noSuchMailbox = () => new WorkRefusalError('no_such_mailbox');
