import { NO_COVER } from '../../../../shared/covers.ts';
import { CoverFields } from '../../../parts/covers/cover-fields.tsx';
import { t } from '../../../texts/index.ts';
import { Choice } from '../../../ui/choice.tsx';
import { part } from '../../../ui/focus/places.ts';
import { Fold } from '../../../ui/fold.tsx';
import styles from '../about/about-fold.module.css';
import type { DraftCover } from '../draft/draft.ts';
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
          <CoverFields
            page={page}
            values={value.values}
            onChange={(values) => onChange({ ...value, values })}
          />
        </div>
      </Fold>
    </div>
  );
}
