import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { openedAddress } from '../../api/page-token.ts';
import { usePermission } from '../../api/queries.ts';
import { ContactDialog } from '../../parts/contacts/contact-dialog.tsx';
import { ContactTabs } from '../../parts/contacts/contact-tabs.tsx';
import { OptOutsButton } from '../../parts/contacts/opt-outs.tsx';
import { useCursor } from '../../parts/lists/list-cursor.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { ListFoot } from '../../parts/lists/list-foot.tsx';
import { ListPanes } from '../../parts/lists/list-panes.tsx';
import { ListOpening, ListProblem } from '../../parts/lists/list-state.tsx';
import { ListTable, rowCount } from '../../parts/lists/list-table.tsx';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/contacts.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { useContactColumns } from './contact-columns.tsx';
import detailStyles from './contact-details.module.css';
import { ContactDetails } from './contact-details.tsx';
import styles from './contacts-table.module.css';
import { DirectoryButton } from './directory/directory-button.tsx';
import { CONTACTS_FILTER } from './filter.ts';
import { Filters } from './filters.tsx';
import { ImportDialog } from './import/import-dialog.tsx';
import { type ContactsList, useContactsList } from './use-contacts-list.ts';

const foot = t.contacts.foot;
const words = t.contacts;
const KEYS = [
  [['j', 'k'], foot.move],
  [['enter'], foot.open],
] as const;

/** Shows the list of contacts, and the details of the one that is open. */
export function ContactsScreen() {
  const { contactId } = useParams({ from: '/framed/contacts/{-$contactId}' });
  useScreenTitle(t.contacts.title);
  const filtering = useListFilter(CONTACTS_FILTER);
  const rows = useRef<VirtualRowsHandle>(null);
  const list = useContactsList(filtering.filter);
  const count = rowCount(list);
  const columns = useContactColumns();
  const show = useShow();
  const mayChange = usePermission('contacts:manage');
  const [doing, setDoing] = useState<'add' | 'import' | null>(null);
  const done = () => setDoing(null);
  const add = () => setDoing('add');
  const take = () => setDoing('import');
  const { title, list: label } = words;
  const cursor = useCursor({
    screen: title,
    words: t.ui.listKeys,
    list,
    count,
    openId: contactId,
    rows,
    show,
  });
  useActions(title, [
    {
      id: 'add',
      label: t.contacts.keys.add,
      icon: 'plus',
      keys: 'shift+n',
      isDisabled: !mayChange,
      run: add,
    },
  ]);
  const opened = (id: string) => {
    done();
    show(id);
  };
  return (
    <ListPanes
      list={
        <Pane label={label}>
          <ListHead
            list={list}
            onAdd={mayChange ? add : null}
            onImport={mayChange ? take : null}
            onShow={show}
          />
          <ContactTabs current="contacts" />
          <Filters {...filtering} />
          {list.items.length > 0 ? (
            <ListTable {...{ label, list, count, columns, cursor, rows }} rowClassName={styles['cells']} />
          ) : (
            <ListState {...{ list, ...filtering }} {...(mayChange && { onAdd: add, onImport: take })} />
          )}
          <ListProblem list={list} />
          <ListFoot keys={KEYS} />
          {doing === 'add' && (
            <ContactDialog onClose={done} onDone={({ id }) => opened(id)} onShow={opened} />
          )}
          {doing === 'import' && <ImportDialog onClose={done} />}
        </Pane>
      }
      details={
        contactId !== undefined && (
          <ContactDetails key={contactId} id={contactId} onClose={cursor.close} onShow={show} />
        )
      }
    />
  );
}

/** Opens a contact beside the list, or none; the filter stays. */
function useShow() {
  const navigate = useNavigate();
  return (contactId: string | undefined, replace = false) =>
    void navigate({ to: '/contacts/{-$contactId}', params: { contactId }, search: true, replace });
}

/** Name of the screen, how many contacts there are, and the ways in and out. */
function ListHead(props: {
  list: ContactsList;
  /** Null without the right to it. */
  onAdd: (() => void) | null;
  onImport: (() => void) | null;
  onShow: (id: string) => void;
}) {
  const { list, onAdd, onImport } = props;
  return (
    <PaneHead title={words.title} level={1} wraps count={<span role="status">{countText(list)}</span>}>
      {list.items.length > 0 && (
        <>
          <DownloadLink href={openedAddress('/contacts/export')}>{words.export}</DownloadLink>
          <DownloadLink href={openedAddress('/contacts/export?format=vcard4')}>
            {words.exportCards}
          </DownloadLink>
        </>
      )}
      <DirectoryButton onShow={props.onShow} />
      <OptOutsButton />
      {onImport && <Button onPress={onImport}>{words.import}</Button>}
      {onAdd && (
        <Button variant="primary" icon="plus" keys="shift+n" onPress={onAdd}>
          {words.add}
        </Button>
      )}
    </PaneHead>
  );
}

function countText(list: ContactsList): string {
  const here = list.items.length;
  if (list.isWhole) return words.count(formatCount(here), here === 1);
  return list.isOpening ? '' : words.moreThan(formatCount(here));
}

/** Shown in place of rows: loading, an error, no contacts yet, or no matches. */
function ListState(props: {
  list: ContactsList;
  isFiltered: boolean;
  clear: () => void;
  onAdd?: () => void;
  onImport?: () => void;
}) {
  const { list, isFiltered, clear, onAdd, onImport } = props;
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  if (isFiltered)
    return (
      <EmptyState
        icon="search"
        title={words.noneFits}
        action={<Button onPress={clear}>{words.clear}</Button>}
      >
        {words.noneFitsSentence}
      </EmptyState>
    );
  const ways = onAdd && onImport && (
    <div className={detailStyles['line']}>
      <Button onPress={onAdd}>{words.addFirst}</Button>
      <Button onPress={onImport}>{words.importFirst}</Button>
    </div>
  );
  return (
    <EmptyState icon="contacts" title={words.empty} action={ways}>
      {words.emptySentence}
    </EmptyState>
  );
}
