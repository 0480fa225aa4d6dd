import { COVER_LIMITS } from '../../../shared/covers.ts';
import type { Caller } from '../access/service.ts';
import { coverRefused, refuseBadCover } from './errors.ts';
import type { CoversParts } from './parts.ts';

/** Logo or PDF of a cover page as it is kept. */
export interface KeptFile {
  readonly file: Uint8Array;
  readonly formFields: readonly string[];
}

/** Checks an uploaded file and returns it as it is kept. Throws a 400 refusal. */
export async function keptFile(
  { documents }: Pick<CoversParts, 'documents'>,
  caller: Caller,
  kind: 'logo' | 'pdf',
  file: Uint8Array,
): Promise<KeptFile> {
  const most = kind === 'pdf' ? COVER_LIMITS.pdfBytes : COVER_LIMITS.logoBytes;
  const word = kind === 'pdf' ? 'PDF' : 'logo';
  if (file.length > most)
    throw coverRefused(`The ${word} is larger than ${most / 1000} KB. Make it smaller and try again.`);
  return refuseBadCover(documents.for(caller.principal.id).coverFile(kind, file));
}
