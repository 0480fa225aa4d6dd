import { useQuery } from '@tanstack/react-query';
import { COVER_LIMITS } from '../../../shared/covers.ts';
import { coversQuery, fieldsOf } from '../../api/covers.ts';
import { CoverChoice } from '../../parts/covers/cover-choice.tsx';
import { fieldInWords } from '../../parts/covers/cover-words.ts';
import { t } from '../../texts/broadcasts.ts';
import { TextField } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-area.tsx';

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

/** Choice of the cover page, with its note and its own fields. */
export function BroadcastCover({
  value,
  onChange,
}: {
  value: CoverForm;
  onChange: (value: CoverForm) => void;
}) {
  const found = useQuery(coversQuery({ to: null, mailbox: null })).data?.items;
  const page = found?.find(({ id }) => id === value.id);
  const { usual, own } = page === undefined ? { usual: [], own: [] } : fieldsOf(page);
  const set = (name: string) => (text: string) =>
    onChange({ ...value, values: { ...value.values, [name]: text } });
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
      {usual.includes('note') && (
        <TextArea
          label={t.send.cover.note}
          value={value.values['note'] ?? ''}
          maxLength={COVER_LIMITS.value}
          onChange={set('note')}
        />
      )}
      {own.map((name) => (
        <TextField
          key={name}
          label={fieldInWords(name)}
          value={value.values[name] ?? ''}
          maxLength={COVER_LIMITS.value}
          autoComplete="off"
          onChange={set(name)}
        />
      ))}
    </>
  );
}
