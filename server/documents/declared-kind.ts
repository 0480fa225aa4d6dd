import { documentTypeOf, isDocumentType, type MediaType } from '../../shared/document-types.ts';
import type { DocumentSource } from './jobs.ts';

/** A kind that a name or a declared type promises. Text promises nothing: anything is saved as `.txt`. */
export type DeclaredKind = Exclude<MediaType, 'text/plain'> | 'office';

const OFFICE_NAME = /\.(doc|docx|docm|dot|dotx|xls|xlsx|xlsm|ppt|pptx|odt|ods|odp)$/iu;
const OFFICE_TYPE =
  /^application\/(msword|vnd\.ms-(word|excel|powerpoint)|vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.)/u;

/**
 * Returns the kinds that the name and the declared type of a document promise; one that promises nothing is left out.
 */
export function declaredKinds({
  fileName,
  declaredType,
}: DocumentSource): Array<{ by: 'name' | 'type'; kind: DeclaredKind }> {
  const name = OFFICE_NAME.test(fileName) ? 'office' : documentTypeOf(fileName);
  const type = kindOfType((declaredType ?? '').toLowerCase());
  return [
    ...(name === null || name === 'text/plain' ? [] : [{ by: 'name', kind: name } as const]),
    ...(type === null ? [] : [{ by: 'type', kind: type } as const]),
  ];
}

function kindOfType(type: string): DeclaredKind | null {
  if (OFFICE_TYPE.test(type)) return 'office';
  return isDocumentType(type) && type !== 'text/plain' ? type : null;
}
