import { useMemo } from 'react';
import { useMe } from '../../api/queries.ts';
import { faxState } from '../../parts/fax-state.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/sent.ts';
import { formatCount, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { formatMoney } from '../../ui/money.ts';
import { PersonMark } from '../../ui/person.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import type { ListedFax } from './listed-fax.ts';
import styles from './sent-table.module.css';

const words = t.sent.columns;
type Phone = (number: string) => string;

/** Returns the columns of sent faxes. When the list contains a contact, numbers have a column of their own. */
export function useSentColumns(faxes: readonly ListedFax[]): readonly Column<ListedFax>[] {
  const meId = useMe()?.principal.id ?? '';
  const format = usePhoneFormat();
  const phone = useMemo(() => remembering(format), [format]);
  const withContacts = useMemo(() => faxes.some(({ contact }) => contact !== null), [faxes]);
  return useMemo(
    () => [STATE, ...namesOf(phone, withContacts), PAGES, SENT, byColumn(meId), COST],
    [meId, phone, withContacts],
  );
}

/** Grouping a number takes longer than drawing its row, and the same numbers come again and again. */
function remembering(format: Phone): Phone {
  const known = new Map<string, string>();
  return (number) => {
    const text = known.get(number) ?? format(number);
    known.set(number, text);
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
      <StateWord tone={tone} icon={icon} size="body">
        {short ?? word}
      </StateWord>
    );
  },
};

function namesOf(phone: Phone, withContacts: boolean): readonly Column<ListedFax>[] {
  const name = ({ contact, to }: ListedFax) => contact ?? phone(to);
  const number = ({ contact, to }: ListedFax) => (contact ? phone(to) : t.sent.noContact);
  const second = withContacts ? number : documentName;
  return [
    { id: 'to', head: words.to, title: name, cell: name },
    {
      id: 'second',
      head: withContacts ? words.number : words.document,
      isQuiet: true,
      room: 'wide',
      title: second,
      cell: second,
    },
  ];
}

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
  cell: ({ pages, pagesSent }) => {
    const all = formatCount(pages);
    return pagesSent === null ? all : t.sent.pages(formatCount(pagesSent), all);
  },
};

const SENT: Column<ListedFax> = {
  id: 'sent',
  head: words.sent,
  isQuiet: true,
  isEnd: true,
  title: ({ created_at }) => formatFully(created_at),
  cell: ({ created_at }) => formatWhen(created_at),
};

const byColumn = (meId: string): Column<ListedFax> => ({
  id: 'by',
  head: words.by,
  room: 'wide',
  cell: ({ created_by: { id, name } }) => <PersonMark name={name} isMe={id === meId} />,
});

const COST: Column<ListedFax> = {
  id: 'cost',
  head: words.cost,
  isQuiet: true,
  isEnd: true,
  room: 'wide',
  title: (fax) => (fax.cost === null ? noCostWord(fax) : undefined),
  cell: (fax) => (fax.cost === null ? <NoCost word={noCostWord(fax)} /> : formatMoney(fax.cost)),
};

/** Without a call there is nothing to pay. */
const noCostWord = ({ delivered_by }: ListedFax) =>
  delivered_by === 'internal' ? t.sent.costNone : t.sent.costUnknown;

function NoCost({ word }: { word: string }) {
  return (
    <span className={styles['faint']}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{word}</span>
    </span>
  );
}
