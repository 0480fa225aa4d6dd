import { memo } from 'react';
import { faxState } from '../../parts/fax-state.ts';
import { t } from '../../texts/sent.ts';
import { formatCount, formatFully, formatWhen } from '../../ui/format.ts';
import { PersonMark } from '../../ui/person.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import type { ListedFax } from './listed-fax.ts';
import { formatCost } from './money.ts';
import styles from './sent-table.module.css';

export interface SentRowProps {
  readonly fax: ListedFax;
  readonly meId: string;
  readonly phone: (number: string) => string;
  /** Some fax of the list has a contact, so that numbers have a column of their own. */
  readonly withContacts: boolean;
}

/** The cells of one fax. */
export const SentRow = memo(function SentRow({ fax, meId, phone, withContacts }: SentRowProps) {
  const { tone, icon, word } = faxState(fax);
  const number = phone(fax.to);
  const name = fax.contact ?? number;
  return (
    <>
      <span role="gridcell" title={fax.error ?? word}>
        <StateWord tone={tone} icon={icon} size="body">
          {word}
        </StateWord>
      </span>
      <span role="gridcell" className={styles['to']} title={name}>
        {name}
      </span>
      <SecondName fax={fax} number={number} withContacts={withContacts} />
      <span role="gridcell" className={`${styles['end']} ${styles['quiet']} ${styles['medium']}`}>
        <Pages fax={fax} />
      </span>
      <span
        role="gridcell"
        className={`${styles['end']} ${styles['quiet']}`}
        title={formatFully(fax.created_at)}
      >
        {formatWhen(fax.created_at)}
      </span>
      <span role="gridcell" className={styles['wide']}>
        <By fax={fax} meId={meId} />
      </span>
      <Cost fax={fax} />
    </>
  );
});

function SecondName({
  fax,
  number,
  withContacts,
}: {
  fax: ListedFax;
  number: string;
  withContacts: boolean;
}) {
  const titles = fax.titles.filter((title) => title !== '').join(', ');
  const document = titles === '' ? fax.fileName : titles;
  const text = withContacts ? (fax.contact ? number : t.sent.noContact) : document;
  return (
    <span role="gridcell" className={`${styles['quiet']} ${styles['wide']}`} title={text}>
      {text}
    </span>
  );
}

function Pages({ fax: { pages, pagesSent } }: { fax: ListedFax }) {
  const all = formatCount(pages);
  if (pagesSent === null) return <span title={t.sent.pagesUnknown(all)}>{all}</span>;
  return t.sent.pages(formatCount(pagesSent), all);
}

function By({ fax: { created_by }, meId }: { fax: ListedFax; meId: string }) {
  const isMe = created_by.id === meId;
  return <PersonMark name={created_by.name} isMe={isMe} />;
}

function Cost({ fax: { cost } }: { fax: ListedFax }) {
  const place = `${styles['end']} ${styles['medium']}`;
  if (cost === null)
    return (
      <span role="gridcell" className={`${place} ${styles['faint']}`} title={t.sent.costUnknown}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t.sent.costUnknown}</span>
      </span>
    );
  return (
    <span role="gridcell" className={`${place} ${styles['quiet']}`}>
      {formatCost(cost)}
    </span>
  );
}
