import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './contact-details.module.css';
import type { ContactsList } from './use-contacts-list.ts';

const words = t.contacts;

/** Shown in place of rows: loading, an error, no contacts yet, or no matches. */
export function ListState(props: {
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
    <div className={styles['line']}>
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
