import { useMemo } from 'react';
import { useMe } from '../../api/queries.ts';
import { aboutLine } from '../../parts/about/about-words.ts';
import { faxState } from '../../parts/fax-state.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/sent.ts';
import { formatCount, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { formatMoney } from '../../ui/money.ts';
import { PersonMark } from '../../ui/person.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import type { ListedFax } from './listed-fax.ts';
import styles from './sent-table.module.css';

const words = t.sent.columns;
type FormatNumber = (number: string) => string;

/** Returns the columns of the list of sent faxes. They keep their identity while the list changes. */
export function useSentColumns(): readonly Column<ListedFax>[] {
  const ownId = useMe()?.principal.id ?? '';
  const format = usePhoneFormat();
  const formatNumber = useMemo(() => memoize(format), [format]);
  return useMemo(
    () => [STATE, toColumn(formatNumber), DOCUMENT, PAGES, ACCEPTED, byColumn(ownId), COST],
    [ownId, formatNumber],
  );
}

/** Caches formatted numbers: formatting one takes longer than drawing its row, and lists repeat them. */
function memoize(format: FormatNumber): FormatNumber {
  const texts = new Map<string, string>();
  return (number) => {
    const text = texts.get(number) ?? format(number);
    texts.set(number, text);
    return text;
  };
}

const STATE: Column<ListedFax> = {
  id: 'state',
  head: words.state,
  title: (fax) => fax.error ?? fax.held_reason ?? faxState(fax).word,
  cell: (fax) => {
    const { tone, icon, word, short } = faxState(fax);
    return (
      <span className={styles['state']}>
        <StateWord tone={tone} icon={icon} size="body">
          {short ?? word}
        </StateWord>
        {fax.test && <Mark>{t.fax.test}</Mark>}
        {fax.delivered_by === 'direct' && <Mark>{t.fax.directly}</Mark>}
        {fax.kind === 'code' && <Mark>{t.fax.partnerCode}</Mark>}
      </span>
    );
  },
};

const toColumn = (formatNumber: FormatNumber): Column<ListedFax> => ({
  id: 'to',
  head: words.to,
  title: (fax) => {
    const { contact, to } = fax;
    const recipient = contact === null ? formatNumber(to) : `${contact}, ${formatNumber(to)}`;
    const line = aboutLine(fax);
    return line === null ? recipient : `${recipient}\n${line}`;
  },
  cell: (fax) => {
    const line = aboutLine(fax);
    return (
      <>
        <Recipient contact={fax.contact} number={formatNumber(fax.to)} />
        <span className={styles['about']} data-file={line === null || undefined}>
          {line ?? documentName(fax)}
        </span>
      </>
    );
  },
});

function Recipient({ contact, number }: { contact: string | null; number: string }) {
  if (contact === null) return number;
  return (
    <span className={styles['to']}>
      <span className={styles['name']}>{contact}</span>
      <span className={styles['number']}>{number}</span>
    </span>
  );
}

const DOCUMENT: Column<ListedFax> = {
  id: 'document',
  head: words.document,
  isQuiet: true,
  room: 'wide',
  title: documentName,
  cell: documentName,
};

function documentName({ titles, fileName }: ListedFax): string {
  const given = titles.filter((title) => title !== '').join(', ');
  return given === '' ? fileName : given;
}

const PAGES: Column<ListedFax> = {
  id: 'pages',
  head: words.pages,
  isQuiet: true,
  isEnd: true,
  room: 'medium',
  title: ({ pages, pagesSent }) => (pagesSent === null ? t.sent.pagesUnknown(formatCount(pages)) : undefined),
  cell: ({ pages, pagesSent }) =>
    t.sent.pages(pagesSent === null ? t.sent.unknownCount : formatCount(pagesSent), formatCount(pages)),
};

const ACCEPTED: Column<ListedFax> = {
  id: 'accepted',
  head: words.accepted,
  isQuiet: true,
  isEnd: true,
  title: ({ created_at }) => formatFully(created_at),
  cell: ({ created_at }) => formatWhen(created_at),
};

const byColumn = (ownId: string): Column<ListedFax> => ({
  id: 'by',
  head: words.by,
  room: 'wide',
  cell: ({ created_by: { id, name } }) => <PersonMark name={name} isMe={id === ownId} />,
});

const COST: Column<ListedFax> = {
  id: 'cost',
  head: words.cost,
  isQuiet: true,
  isEnd: true,
  room: 'wide',
  title: ({ cost, free }) => (cost === null && !free ? t.sent.costUnknown : undefined),
  cell: ({ cost, free }) => {
    if (cost !== null) return formatMoney(cost);
    return free ? t.fax.free : <UnknownCost />;
  },
};

function UnknownCost() {
  return (
    <span className={styles['faint']}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t.sent.costUnknown}</span>
    </span>
  );
}
