import { isOfficeType } from '../../../shared/document-types.ts';
import { contentOf, writeDocument } from '../document-files.ts';
import type { DocumentJobs } from '../jobs.ts';
import { mediaTypeOf } from '../media-type.ts';
import { checkArchive } from './office-kind.ts';

/** Writes a document of a word processor as it is, for the program that converts it. Throws a DocumentError. */
export function copyOfficeFile({
  source,
  outputPath,
}: DocumentJobs['officeFile']['task']): DocumentJobs['officeFile']['result'] {
  const type = mediaTypeOf(source);
  if (!isOfficeType(type)) return type;
  const bytes = contentOf(source);
  if (type !== 'text/html') checkArchive(bytes);
  writeDocument(outputPath, bytes, null);
  return type;
}
