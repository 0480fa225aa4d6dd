import { RefusalError } from '../../platform/errors.ts';

export class ImportRefusalError extends RefusalError {
  override name = 'ImportRefusalError';
}

export const noFile = () => new ImportRefusalError('wrong_files', { sentence: 'Attach the PDF as "file".' });
export const badManifest = (problem: string) =>
  new ImportRefusalError('manifest_unreadable', { sentence: `The manifest cannot be read. ${problem}` });
export const notPdf = (problem: string, cause: unknown) =>
  new ImportRefusalError('import_not_pdf', { sentence: `The file cannot be imported. ${problem}`, cause });
export const conflict = () => new ImportRefusalError('import_conflict');
export const notAllowed = () => new ImportRefusalError('not_allowed');
