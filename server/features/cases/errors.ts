import { RefusalError } from '../../platform/errors.ts';

class CaseRefusalError extends RefusalError {
  override name = 'CaseRefusalError';
}

export const noSuchCase = () => new CaseRefusalError('no_such_case');
export const titlesOfDocuments = () => new CaseRefusalError('wrong_titles');
