import { useQuery } from '@tanstack/react-query';
import { NO_COVER } from '../../../../shared/covers.ts';
import { type CoverPage, coversQuery, fieldsOf } from '../../../api/covers.ts';
import { useCoverPicture } from '../../../parts/covers/use-cover-picture.ts';
import type { Draft } from '../draft/draft.ts';

/** The cover page of a draft, as it is shown and sent. */
export interface CoverOfDraft {
  readonly choices: readonly CoverPage[];
  /** Null for no cover page. */
  readonly page: CoverPage | null;
  /** It is that of the contact or the mailbox. */
  readonly isUsual: boolean;
  /** ID of the page, or `none`; null while that of the contact and the mailbox is not known. */
  readonly sent: string | null;
  /** Values that were typed, of the fields that the page has. */
  readonly values: Readonly<Record<string, string>>;
  /** Picture of the page as the receiving machine prints it; null for none, and until it is drawn. */
  readonly src: string | null;
  readonly problem: string | null;
}

export function useCover(
  { cover, about }: Draft,
  fax: { to: string | null; mailbox: string | null; pages: number },
): CoverOfDraft {
  const { to, mailbox, pages } = fax;
  const list = useQuery(coversQuery({ to, mailbox })).data;
  const choices = list?.items ?? [];
  const isUsual = cover.choice === '';
  const id = isUsual ? (list?.default_id ?? null) : cover.choice;
  const page = choices.find((one) => one.id === id) ?? null;
  const values = page === null ? {} : typedValues(page, cover.values);
  const picture = useCoverPicture(
    page && {
      cover: page.id,
      cover_fields: values,
      pages,
      ...(to === null ? {} : { to }),
      ...(mailbox === null ? {} : { mailbox }),
      subject: about.subject.trim() || null,
      reference: about.reference.trim() || null,
    },
  );
  const sent = list === undefined && cover.choice !== NO_COVER ? null : (page?.id ?? NO_COVER);
  return { choices, page, isUsual, sent, values, ...picture };
}

function typedValues(page: CoverPage, values: Readonly<Record<string, string>>): Record<string, string> {
  const { usual, own } = fieldsOf(page);
  const names = [...usual, ...own];
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => names.includes(name) && value.trim() !== ''),
  );
}
