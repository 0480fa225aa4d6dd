import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { ContactDialog } from '../../parts/contacts/contact-dialog.tsx';
import { useCursor } from '../../parts/lists/list-cursor.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { ListFoot } from '../../parts/lists/list-foot.tsx';
import { ListPanes } from '../../parts/lists/list-panes.tsx';
import { ListProblem } from '../../parts/lists/list-state.tsx';
import { ListTable, rowCount } from '../../parts/lists/list-table.tsx';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/contacts.ts';
import { useActions } from '../../ui/actions.tsx';
import { Pane } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { useContactColumns } from './contact-columns.tsx';
import { ContactDetails } from './contact-details.tsx';
import styles from './contacts-table.module.css';
import { CONTACTS_FILTER } from './filter.ts';
import { Filters } from './filters.tsx';
import { ImportDialog } from './import/import-dialog.tsx';
import { ListHead } from './list-head.tsx';
import { ListState } from './list-state.tsx';
import { useContactsList } from './use-contacts-list.ts';

const foot = t.contacts.foot;
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
  const { title, list: label } = t.contacts;
  const words = t.ui.listKeys;
  const cursor = useCursor({ screen: title, words, list, count, openId: contactId, rows, show });
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
          <ListHead list={list} onAdd={mayChange ? add : null} onImport={mayChange ? take : null} />
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
