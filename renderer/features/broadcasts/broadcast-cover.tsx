import { useQuery } from '@tanstack/react-query';
import { coversQuery } from '../../api/covers.ts';
import { CoverChoice } from '../../parts/covers/cover-choice.tsx';
import { CoverFields } from '../../parts/covers/cover-fields.tsx';
import { t } from '../../texts/broadcasts.ts';
import { CoverOfRecipient } from './cover-of-recipient.tsx';
import type { ListForm } from './use-recipients.ts';

const words = t.broadcasts.form;

/** Cover page of each fax of a broadcast, and its values before they are merged. */
export interface CoverForm {
  /** ID of the page; empty for none. */
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
}

export const NO_COVER_FORM: CoverForm = { id: '', values: {} };

/** Fields of the request. */
export function coverFormFields({ id, values }: CoverForm): Record<string, string> {
  if (id === '') return {};
  const typed = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return { cover: id, cover_fields: JSON.stringify(Object.fromEntries(typed)) };
}

/** Choice of the cover page with what is typed on it, and the page as each recipient gets it. */
export function BroadcastCover(props: {
  value: CoverForm;
  list: ListForm;
  onChange: (value: CoverForm) => void;
}) {
  const { value, list, onChange } = props;
  const found = useQuery(coversQuery({ to: null, mailbox: null })).data?.items;
  const page = found?.find(({ id }) => id === value.id) ?? null;
  return (
    <>
      <CoverChoice
        label={words.cover}
        none={words.noCover}
        value={value.id}
        {...(value.id === '' ? {} : { help: words.coverHelp })}
        // Values of another page do not fit.
        onChange={(id) => onChange({ id, values: {} })}
      />
      <CoverFields page={page} values={value.values} onChange={(values) => onChange({ ...value, values })} />
      {page !== null && <CoverOfRecipient page={page} values={value.values} list={list} />}
    </>
  );
}
