import type { InboundParts } from '../parts.ts';
import type { FaxRow } from '../types.ts';

/** Dependencies that hold the names of sources. */
export type SourceNames = Pick<InboundParts, 'sources' | 'receivers'>;

type FromSource = Pick<FaxRow, 'backend'> & Partial<Pick<FaxRow, 'source_system'>>;

/**
 * Returns the name of the source of a fax: the vendor of a provider, the system of an import, or the name of another
 * source.
 */
export function sourceNameOf(
  { sources, receivers }: SourceNames,
  { backend, source_system }: FromSource,
): string {
  if (source_system) return source_system;
  return receivers[backend]?.name ?? sources.get(backend)?.name ?? 'Provider';
}

/** Returns the same name for use within a sentence, and at its beginning: `Phaxio`, `the telephone engine`. */
export function sourceWords(parts: SourceNames, row: FromSource): { the: string; The: string } {
  const name = sourceNameOf(parts, row);
  if (row.source_system || row.backend in parts.receivers) return { the: name, The: name };
  return { the: `the ${name.toLowerCase()}`, The: `The ${name.toLowerCase()}` };
}
