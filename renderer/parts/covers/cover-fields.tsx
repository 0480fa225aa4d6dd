import { COVER_LIMITS } from '../../../shared/covers.ts';
import { type CoverPage, fieldsOf } from '../../api/covers.ts';
import { t } from '../../texts/index.ts';
import { TextField } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { fieldInWords } from './cover-words.ts';
import { PhraseButton } from './phrase-button.tsx';

type CoverValues = Readonly<Record<string, string>>;

/** Fields of a cover page that a person types: attention, note and the page's own fields. */
export function CoverFields(props: {
  /** Null for none. */
  page: CoverPage | null;
  values: CoverValues;
  onChange: (values: CoverValues) => void;
}) {
  const { page, values, onChange } = props;
  const words = t.send.cover;
  if (page === null) return null;
  const { usual, own } = fieldsOf(page);
  const note = values['note'] ?? '';
  const set = (name: string) => (text: string) => onChange({ ...values, [name]: text });
  const field = (name: string, label: string) => (
    <TextField
      key={name}
      label={label}
      value={values[name] ?? ''}
      maxLength={200}
      autoComplete="off"
      onChange={set(name)}
    />
  );
  return (
    <>
      {usual.includes('attention') && field('attention', words.attention)}
      {usual.includes('note') && (
        <>
          <TextArea label={words.note} value={note} maxLength={COVER_LIMITS.value} onChange={set('note')} />
          <PhraseButton onChoose={(text) => set('note')(withPhrase(note, text))} />
        </>
      )}
      {own.map((name) => field(name, fieldInWords(name)))}
    </>
  );
}

/** Puts a phrase after the text on a line of its own, as far as it fits. */
function withPhrase(text: string, phrase: string): string {
  const before = text.trimEnd();
  return (before === '' ? phrase : `${before}\n${phrase}`).slice(0, COVER_LIMITS.value);
}
