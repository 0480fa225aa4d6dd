import type { Caller } from '../../access/service.ts';
import type { PlacedSignature, Signatures } from '../../desk/service.ts';
import type { HashedSource } from './edited-source.ts';

/** Files with the pictures that are put on their pages. */
export interface SignedSources {
  readonly sources: readonly HashedSource[];
  /** Each signature and stamp that is put on a page, once. */
  readonly placed: readonly PlacedSignature[];
}

/**
 * Returns files with the signatures and stamps that are put on their pages. Throws a 403 refusal, which is audited, unless all
 * of them are the caller's own.
 */
export async function withSignatures(
  signatures: Signatures,
  caller: Caller,
  sources: readonly HashedSource[],
): Promise<SignedSources> {
  const named = new Map<string, Pick<PlacedSignature, 'id' | 'kind'>>();
  for (const mark of sources.flatMap(({ edits }) => (edits ?? []).flatMap((page) => page.marks)))
    if ('picture' in mark) named.set(`${mark.kind} ${mark.picture}`, { id: mark.picture, kind: mark.kind });
  if (named.size === 0) return { sources, placed: [] };
  const own = await signatures.own(caller, [...named.values()]);
  const pictures = Object.fromEntries(own.map(({ id, picture }) => [id, picture]));
  return {
    sources: sources.map((source) => (source.edits ? { ...source, pictures } : source)),
    placed: own.map(({ id, kind, name }) => ({ id, kind, name })),
  };
}
