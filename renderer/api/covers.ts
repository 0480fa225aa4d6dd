import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { coversRoutes } from '../../shared/api/covers.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { COVER_FIELDS, COVER_PLACE } from '../../shared/covers.ts';
import { origin } from './client.ts';
import { queryClient } from './queries.ts';

export const { covers } = createRooms({ covers: coversRoutes }, origin);

type CoverList = Awaited<ReturnType<typeof covers.listCovers>>;
export type CoverPage = CoverList['items'][number];
/** With the number of contacts and mailboxes that have it. */
export type CoverWithUse = Awaited<ReturnType<typeof covers.getCover>>;
export type CoverPreview = Parameters<typeof covers.previewCover>[0]['body'];

/** All cover pages, and the one of a fax to this number (E.164) for this mailbox. */
export const coversQuery = (fax: { to: string | null; mailbox: string | null }) =>
  queryOptions({
    queryKey: ['covers', fax.to, fax.mailbox],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      covers.listCovers({
        query: {
          ...(fax.to === null ? {} : { to: fax.to }),
          ...(fax.mailbox === null ? {} : { mailbox: fax.mailbox }),
        },
        signal,
      }),
  });

/** A cover page, with how many contacts and mailboxes have it. */
export const coverQuery = (id: string) =>
  queryOptions({
    queryKey: ['covers', 'one', id],
    queryFn: ({ signal }) => covers.getCover({ params: { id }, signal }),
    staleTime: 0,
  });

/** Reads again after a change of one's own, but not the one that is gone. */
export async function coversChanged(goneId?: string): Promise<void> {
  await queryClient.invalidateQueries({
    queryKey: ['covers'],
    predicate: ({ queryKey: [, part, id] }) => goneId === undefined || part !== 'one' || id !== goneId,
  });
}

/** Returns the names of the fields that a page shows: the usual ones, and its own. */
export function fieldsOf({
  kind,
  fields,
  form_fields,
  text,
}: Pick<CoverPage, 'kind' | 'fields' | 'form_fields' | 'text'>): {
  usual: readonly string[];
  own: readonly string[];
} {
  const inText = [...text.matchAll(COVER_PLACE)].map(([, name = '']) => name);
  const names = kind === 'pdf' ? form_fields : [...fields, ...inText];
  const isUsual = (name: string) => (COVER_FIELDS as readonly string[]).includes(name);
  return {
    usual: names.filter(isUsual),
    own: [...new Set(names.filter((name) => !isUsual(name)))],
  };
}
