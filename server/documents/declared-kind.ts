import {
  documentTypeOf,
  isDocumentType,
  isOfficeName,
  type MediaType,
  promisesContent,
} from '../../shared/document-types.ts';
import type { DocumentSource } from './jobs.ts';

/** A kind that a name or a declared type promises. */
export type DeclaredKind = MediaType | 'office';

const OFFICE_TYPE =
  /^application\/(msword|vnd\.ms-(word|excel|powerpoint)|vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.)/u;

/**
 * Returns the kinds that the name and the declared type of a document promise; one that promises nothing is left out.
 */
export function declaredKinds({
  fileName,
  declaredType,
}: DocumentSource): Array<{ by: 'name' | 'type'; kind: DeclaredKind }> {
  const name = isOfficeName(fileName) ? 'office' : documentTypeOf(fileName);
  const type = kindOfType((declaredType ?? '').toLowerCase());
  return [
    ...(name === null ? [] : [{ by: 'name', kind: name } as const]),
    ...(type === null ? [] : [{ by: 'type', kind: type } as const]),
  ].filter(({ kind }) => kind === 'office' || promisesContent(kind));
}

function kindOfType(type: string): DeclaredKind | null {
  if (isDocumentType(type)) return type;
  return OFFICE_TYPE.test(type) ? 'office' : null;
}
