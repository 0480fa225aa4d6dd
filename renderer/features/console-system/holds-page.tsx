import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { holds, holdsChanged, type LegalHold } from '../../api/holds.ts';
import { useList } from '../../api/lists/use-list.ts';
import { ListOpening, ListProblem } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/administration.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { HoldDialog, type HoldSubject } from './hold-dialog.tsx';
import { HoldRow } from './hold-row.tsx';
import styles from './system.module.css';

const words = t.system.holds;
const KEY = 'shift+n';

/** The legal holds: those that are open and those that were released, newest first. */
export function HoldsPage() {
  const { of: faxId, who: contactId } = useSearch({ from: '/framed/system/{-$systemPage}' });
  const subject = subjectOf(faxId, contactId);
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const list = useList<LegalHold, { items: LegalHold[]; next_cursor: string | null }>({
    key: ['holds', 'list'],
    isShort: true,
    read: ({ limit, cursor }, signal) =>
      holds.listLegalHolds({ query: { limit, ...(cursor === undefined ? {} : { cursor }) }, signal }),
  });
  const place = () => setAsked(true);
  const close = () => {
    setAsked(false);
    if (subject !== null)
      void navigate({ to: '/system/{-$systemPage}', params: { systemPage: 'holds' }, replace: true });
  };
  useActions(t.system.title, [{ id: 'hold', label: words.place, icon: 'plus', keys: KEY, run: place }]);
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title}>
        <Button variant="primary" keys={KEY} onPress={place}>
          {words.place}
        </Button>
      </PaneHead>
      <PaneBody isPadded>
        <div className={styles['column']}>
          <p className={styles['quiet']}>{words.sentence}</p>
          {list.isOpening && <ListOpening error={list.error} retry={list.retry} />}
          <ListProblem list={list} />
          {list.isWhole && list.items.length === 0 && (
            <EmptyState icon="shield" title={words.empty}>
              {words.emptySentence}
            </EmptyState>
          )}
          {list.items.length > 0 && (
            <ul className={styles['list']} aria-label={words.list}>
              {list.items.map((hold) => (
                <HoldRow key={hold.id} hold={hold} />
              ))}
            </ul>
          )}
        </div>
      </PaneBody>
      {(isAsked || subject !== null) && (
        <HoldDialog
          subject={subject}
          onClose={close}
          onPlaced={() => {
            close();
            void holdsChanged();
          }}
        />
      )}
    </Pane>
  );
}

/** Returns the fax or the contact that the address names. */
function subjectOf(faxId: string | undefined, contactId: string | undefined): HoldSubject {
  if (faxId !== undefined) return { fax_ids: [faxId] };
  return contactId === undefined ? null : { contact_id: contactId };
}
