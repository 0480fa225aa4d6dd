import { useQuery } from '@tanstack/react-query';
import { contextQuery } from '../../api/queries.ts';

/** Returns the word of the office for the reference, and the document types that it offers. */
export function useAboutWords(): { readonly reference: string; readonly types: readonly string[] } {
  const about = useQuery(contextQuery).data?.about;
  return { reference: about?.reference_label ?? 'Reference', types: about?.document_types ?? [] };
}
