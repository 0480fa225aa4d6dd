import { COVER_LIMITS, NO_COVER } from '../../../../shared/covers.ts';
import { fieldsOf } from '../../../api/covers.ts';
import { fieldInWords } from '../../../parts/covers/cover-words.ts';
import { t } from '../../../texts/index.ts';
import { Choice } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { part } from '../../../ui/focus/places.ts';
import { Fold } from '../../../ui/fold.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from '../about/about-fold.module.css';
import type { DraftCover } from '../draft/draft.ts';
import { PhraseButton } from './phrase-button.tsx';
import type { CoverOfDraft } from './use-cover.ts';

/** The cover page of the fax: template, attention, note and the template's own fields. */
export function CoverFold(props: {
  value: DraftCover;
  cover: CoverOfDraft;
  onChange: (value: DraftCover) => void;
}) {
  const { value, cover, onChange } = props;
  const words = t.send.cover;
  const { page, choices, problem } = cover;
  const options = [
    { id: NO_COVER, label: words.none },
    ...choices.map(({ id, name }) => ({ id, label: name })),
  ];
  const fields = page === null ? { usual: [], own: [] } : fieldsOf(page);
  const note = value.values['note'] ?? '';
  const set = (name: string) => (text: string) =>
    onChange({ ...value, values: { ...value.values, [name]: text } });
  const field = (name: string, label: string) => (
    <TextField
      key={name}
      label={label}
      value={value.values[name] ?? ''}
      maxLength={200}
      autoComplete="off"
      onChange={set(name)}
    />
  );
  return (
    <div className={styles['about']} {...part('cover')}>
      <Fold title={words.title} summary={page === null ? words.none : page.name}>
        <div className={styles['fields']}>
          <Choice
            label={words.template}
            options={options}
            value={page?.id ?? NO_COVER}
            help={cover.isUsual && page !== null ? words.usual : ''}
            error={problem}
            onChange={(choice) => onChange({ ...value, choice })}
          />
          {fields.usual.includes('attention') && field('attention', words.attention)}
          {fields.usual.includes('note') && (
            <>
              <TextArea
                label={words.note}
                value={note}
                maxLength={COVER_LIMITS.value}
                onChange={set('note')}
              />
              <PhraseButton onChoose={(text) => set('note')(withPhrase(note, text))} />
            </>
          )}
          {fields.own.map((name) => field(name, fieldInWords(name)))}
        </div>
      </Fold>
    </div>
  );
}

/** Puts a phrase after the text on a line of its own, as far as it fits. */
function withPhrase(text: string, phrase: string): string {
  const before = text.trimEnd();
  return (before === '' ? phrase : `${before}\n${phrase}`).slice(0, COVER_LIMITS.value);
}
