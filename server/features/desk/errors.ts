import { RefusalError } from '../../platform/errors.ts';

class DeskRefusalError extends RefusalError {
  override name = 'DeskRefusalError';
}

export const noSuchDraft = () => new DeskRefusalError('no_such_draft');
export const tooManyDrafts = () => new DeskRefusalError('too_many_drafts');
export const draftsTooLarge = () => new DeskRefusalError('drafts_too_large');
export const noSuchPhrase = () => new DeskRefusalError('no_such_phrase');
export const tooManyPhrases = () => new DeskRefusalError('too_many_phrases');
export const stale = () => new DeskRefusalError('stale');
