import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type CoverPage, covers } from '../../api/covers.ts';
import { useList } from '../../api/lists/use-list.ts';
import { usePermission } from '../../api/queries.ts';
import { ContactTabs } from '../../parts/contacts/contact-tabs.tsx';
import { useCursor } from '../../parts/lists/list-cursor.ts';
import { ListFoot } from '../../parts/lists/list-foot.tsx';
import { ListPanes } from '../../parts/lists/list-panes.tsx';
import { ListOpening, ListProblem } from '../../parts/lists/list-state.tsx';
import { ListTable, rowCount } from '../../parts/lists/list-table.tsx';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/covers.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { COVER_COLUMNS } from './cover-columns.tsx';
import { CoverDetails } from './cover-details.tsx';
import { CoverDialog } from './cover-dialog.tsx';
import styles from './covers.module.css';
import { PdfDialog } from './pdf-dialog.tsx';

const words = t.covers;
const KEYS = [
  [['j', 'k'], words.foot.move],
  [['enter'], words.foot.open],
] as const;

/** Shows the templates of cover pages, and the one that is open. */
export function CoversScreen() {
  useScreenTitle(words.title);
  const maySee = usePermission('fax:send');
  if (!maySee)
    return (
      <EmptyState icon="lock" title={words.mayNot} level={1}>
        {words.mayNotSentence}
      </EmptyState>
    );
  return <Covers />;
}

function Covers() {
  const { coverId } = useParams({ from: '/framed/contacts/covers/{-$coverId}' });
  const navigate = useNavigate();
  const show = (id: string | undefined, replace = false) =>
    void navigate({ to: '/contacts/covers/{-$coverId}', params: { coverId: id }, replace });
  const rows = useRef<VirtualRowsHandle>(null);
  const list = useList<CoverPage, { items: CoverPage[]; next_cursor: null }>({
    key: ['covers', 'list'],
    isShort: true,
    read: async (_request, signal) => ({
      items: (await covers.listCovers({ query: {}, signal })).items,
      next_cursor: null,
    }),
  });
  const count = rowCount(list);
  const mayChange = usePermission('settings:write');
  const [doing, setDoing] = useState<'add' | 'pdf' | null>(null);
  const done = () => setDoing(null);
  const add = () => setDoing('add');
  const added = ({ id }: CoverPage) => {
    done();
    show(id);
  };
  const { title, list: label } = words;
  const cursor = useCursor({ screen: title, words: t.ui.listKeys, list, count, openId: coverId, rows, show });
  useActions(title, [
    { id: 'add', label: words.keys.add, icon: 'plus', keys: 'shift+n', isDisabled: !mayChange, run: add },
  ]);
  const number = list.isWhole ? words.count(formatCount(list.items.length), list.items.length === 1) : '';
  return (
    <ListPanes
      list={
        <Pane label={label}>
          <PaneHead title={title} level={1} wraps count={<span role="status">{number}</span>}>
            {mayChange && (
              <>
                <Button onPress={() => setDoing('pdf')}>{words.addPdf}</Button>
                <Button variant="primary" icon="plus" keys="shift+n" onPress={add}>
                  {words.add}
                </Button>
              </>
            )}
          </PaneHead>
          <ContactTabs current="covers" />
          {list.items.length > 0 ? (
            <ListTable
              {...{ label, list, count, cursor, rows }}
              columns={COVER_COLUMNS}
              rowClassName={styles['cells']}
            />
          ) : (
            <ListOpening error={list.error} retry={list.retry} />
          )}
          <ListProblem list={list} />
          <ListFoot keys={KEYS} />
          {doing === 'add' && <CoverDialog onClose={done} onDone={added} />}
          {doing === 'pdf' && <PdfDialog onClose={done} onDone={added} />}
        </Pane>
      }
      details={
        coverId !== undefined && (
          <CoverDetails key={coverId} id={coverId} onClose={cursor.close} onShow={show} />
        )
      }
    />
  );
}
