import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { ownCardQuery, type Partner } from '../../../api/partners.ts';
import { usePermission } from '../../../api/queries.ts';
import { isRefused, sentenceOf } from '../../../api/sentence.ts';
import { ContactTabs } from '../../../parts/contacts/contact-tabs.tsx';
import { useCursor } from '../../../parts/lists/list-cursor.ts';
import { ListFoot } from '../../../parts/lists/list-foot.tsx';
import { ListPanes } from '../../../parts/lists/list-panes.tsx';
import { ListOpening, ListProblem } from '../../../parts/lists/list-state.tsx';
import { ListTable, rowCount } from '../../../parts/lists/list-table.tsx';
import { useScreenTitle } from '../../../parts/window-title.ts';
import { t } from '../../../texts/partners.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneHead } from '../../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../../ui/virtual-rows.tsx';
import { AddPartnerDialog } from './add-partner-dialog.tsx';
import { OwnCardDialog } from './own-card-dialog.tsx';
import { usePartnerColumns } from './partner-columns.tsx';
import { PartnerDetails } from './partner-details.tsx';
import styles from './partners.module.css';
import { type PartnersList, usePartnersList } from './use-partners-list.ts';

const words = t.partners;
const KEYS = [
  [['j', 'k'], words.foot.move],
  [['enter'], words.foot.open],
] as const;

/** Shows the partners of direct delivery, and the details of the one that is open. */
export function PartnersScreen() {
  useScreenTitle(words.title);
  const maySee = usePermission('settings:read');
  if (!maySee)
    return (
      <EmptyState icon="lock" title={words.mayNot} level={1}>
        {words.mayNotSentence}
      </EmptyState>
    );
  return <Partners />;
}

function Partners() {
  const { partnerId } = useParams({ from: '/framed/contacts/partners/{-$partnerId}' });
  const show = useShow();
  const rows = useRef<VirtualRowsHandle>(null);
  const list = usePartnersList();
  const count = rowCount(list);
  const columns = usePartnerColumns();
  const isOff = isRefused(list.error, 'no_such_address');
  const mayChange = usePermission('settings:write') && !isOff;
  const [doing, setDoing] = useState<'add' | 'card' | null>(null);
  const done = () => setDoing(null);
  const add = () => setDoing('add');
  const cursor = useCursor({
    screen: words.title,
    words: t.ui.listKeys,
    list,
    count,
    openId: partnerId,
    rows,
    show,
  });
  const open = list.items.find(({ id }) => id === partnerId);
  useActions(words.title, [
    { id: 'add', label: words.keys.add, icon: 'plus', keys: 'shift+n', isDisabled: !mayChange, run: add },
    { id: 'card', label: words.keys.card, icon: 'person', isDisabled: isOff, run: () => setDoing('card') },
  ]);
  return (
    <ListPanes
      list={
        <Pane label={words.list}>
          <ListHead
            list={list}
            isOff={isOff}
            onAdd={mayChange ? add : null}
            onCard={() => setDoing('card')}
          />
          <ContactTabs current="partners" />
          {!isOff && <Incomplete />}
          {list.items.length > 0 ? (
            <ListTable
              {...{ label: words.list, list, count, columns, cursor, rows }}
              rowClassName={styles['cells']}
            />
          ) : (
            <ListState list={list} isOff={isOff} onAdd={mayChange ? add : null} />
          )}
          {!isOff && <ListProblem list={list} />}
          <ListFoot keys={KEYS} />
          {doing === 'card' && <OwnCardDialog onClose={done} />}
          {doing === 'add' && (
            <AddPartnerDialog
              onClose={done}
              onAdded={({ id }) => {
                done();
                show(id);
              }}
            />
          )}
        </Pane>
      }
      details={
        partnerId !== undefined &&
        !list.isOpening &&
        !isOff && <OpenPartner key={partnerId} partner={open} onClose={cursor.close} onAddAgain={add} />
      }
    />
  );
}

/** Opens a partner beside the list, or none. */
function useShow() {
  const navigate = useNavigate();
  return (partnerId: string | undefined, replace = false) =>
    void navigate({ to: '/contacts/partners/{-$partnerId}', params: { partnerId }, replace });
}

function OpenPartner(props: { partner: Partner | undefined; onClose: () => void; onAddAgain: () => void }) {
  const { partner, onClose, onAddAgain } = props;
  if (partner) return <PartnerDetails partner={partner} onClose={onClose} onAddAgain={onAddAgain} />;
  const { label, gone, goneSentence, back } = words.details;
  return (
    <Pane as="aside" label={label}>
      <EmptyState icon="search" title={gone} action={<Button onPress={onClose}>{back}</Button>}>
        {goneSentence}
      </EmptyState>
    </Pane>
  );
}

function ListHead(props: {
  list: PartnersList;
  isOff: boolean;
  /** Null without the right to it. */
  onAdd: (() => void) | null;
  onCard: () => void;
}) {
  const { list, isOff, onAdd, onCard } = props;
  const here = list.items.length;
  const count = list.isWhole ? words.count(formatCount(here), here === 1) : '';
  return (
    <PaneHead title={words.title} level={1} count={<span role="status">{count}</span>}>
      {!isOff && <Button onPress={onCard}>{words.ourCard}</Button>}
      {onAdd && (
        <Button variant="primary" icon="plus" keys="shift+n" onPress={onAdd}>
          {words.add}
        </Button>
      )}
    </PaneHead>
  );
}

/** Says which setting the own card still needs. */
function Incomplete() {
  const { error } = useQuery(ownCardQuery);
  if (!isRefused(error, 'direct_incomplete')) return null;
  return (
    <div className={styles['notice']}>
      <Notice tone="warn" title={words.incomplete} action={<ToSettings />}>
        {sentenceOf(error)}
      </Notice>
    </div>
  );
}

function ToSettings(): ReactNode {
  return (
    <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'direct-delivery' }}>
      {words.toSettings}
    </Link>
  );
}

/** Shown in place of rows: loading, an error, that direct delivery is off, or no partners yet. */
function ListState(props: { list: PartnersList; isOff: boolean; onAdd: (() => void) | null }) {
  const { list, isOff, onAdd } = props;
  if (isOff)
    return (
      <EmptyState icon="shield" title={words.off} action={<ToSettings />}>
        {words.offSentence}
      </EmptyState>
    );
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  return (
    <EmptyState
      icon="shield"
      title={words.empty}
      action={onAdd && <Button onPress={onAdd}>{words.add}</Button>}
    >
      {words.emptySentence}
    </EmptyState>
  );
}
