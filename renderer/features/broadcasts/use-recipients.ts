import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { broadcasts, type CheckedList } from '../../api/broadcasts.ts';
import { useSettled } from '../../parts/use-settled.ts';

/** The list of recipients in one of its ways, as the form has it. */
export interface ListForm {
  readonly numbers: string;
  readonly list: File | null;
  readonly tag: string;
}

/** A line of the list to which a fax can be sent. */
export type ListedRecipient = CheckedList['checked'][number] & { readonly to: string };

/** Time in ms without typing, after which the list is read. */
const SETTLE_MS = 400;
const NOBODY: readonly ListedRecipient[] = [];

/** Returns true when the list is given in exactly one way. */
export const hasOneWay = ({ numbers, list, tag }: ListForm): boolean =>
  [numbers.trim() !== '', list !== null, tag.trim() !== ''].filter(Boolean).length === 1;

/** Returns the parts of the request that name the recipients. */
export function listFormParts({ numbers, list, tag }: ListForm) {
  return {
    fields: {
      ...(numbers.trim() && { recipients: numbers }),
      ...(tag.trim() && { tag: tag.trim() }),
    },
    files: list === null ? {} : { recipients_file: [{ name: list.name, content: list }] },
  };
}

/** Reads the recipients of the list while it is typed; empty until there are any. */
export function useRecipients(form: ListForm): readonly ListedRecipient[] {
  const { numbers, list, tag } = useSettled(form, SETTLE_MS);
  const settled = { numbers, list, tag };
  const isGiven = hasOneWay(settled);
  const read = useQuery({
    queryKey: ['broadcast-recipients', numbers, list && [list.name, list.size, list.lastModified], tag],
    queryFn: ({ signal }) => {
      const { fields, files } = listFormParts(settled);
      return broadcasts.sendBroadcast({ fields: { ...fields, preview: 'true' }, files, signal });
    },
    enabled: isGiven,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (!isGiven || !read.data) return NOBODY;
  return read.data.checked.filter(
    (line): line is ListedRecipient => line.problem === null && line.to !== null,
  );
}
