import { useState } from 'react';
import { LOG_LEVELS } from '../../../shared/api/console.ts';
import type { List } from '../../api/lists/list.ts';
import { openedAddress } from '../../api/page-token.ts';
import { ListOpening, ListProblem } from '../../parts/lists/list-state.tsx';
import { ListTable, rowCount } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/administration.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import { LOG_COLUMNS } from './log-columns.tsx';
import { LogDetails } from './log-details.tsx';
import { type LogLevel, type LogLine, useLogLines } from './log-lines.ts';
import styles from './system.module.css';

const words = t.system.logs;
const ROW = 32;

/** Shows the log of the gateway, newest first, filtered by level and text. */
export function LogPage() {
  const [level, setLevel] = useState<LogLevel>('info');
  const [text, setText] = useState('');
  const log = useLogLines(level, text);
  const refresh = log.retry;
  useActions(t.system.title, [
    { id: 'refresh', label: t.system.refresh, icon: 'refresh', keys: 'shift+r', run: refresh },
  ]);
  return (
    <Pane label={words.title}>
      <PaneHead title={words.title}>
        <DownloadLink href={openedAddress('/console/logs/file')}>{words.download}</DownloadLink>
        <Button icon="refresh" keys="shift+r" isPending={log.isBusy} onPress={refresh}>
          {t.system.refresh}
        </Button>
      </PaneHead>
      <div className={styles['filters']}>
        <div className={styles['search']}>
          <ListSearch
            screen={t.system.title}
            label={words.search}
            hint={words.search}
            value={text}
            maxLength={200}
            onChange={setText}
          />
        </div>
        <Choice
          label={words.level}
          isLabelHidden
          isSmall
          value={level}
          onChange={setLevel}
          options={LOG_LEVELS.map((id) => ({ id, label: words.levels[id] }))}
        />
      </div>
      {log.isOpening ? (
        <ListOpening error={log.error} retry={refresh} />
      ) : (
        <LogLines key={log.name} log={log} />
      )}
    </Pane>
  );
}

function LogLines({ log }: { log: List<LogLine> }) {
  const [active, setActive] = useState<number | null>(null);
  const [shown, setShown] = useState<LogLine | null>(null);
  const open = (index: number) => {
    setActive(index);
    setShown(log.at(index) ?? null);
  };
  const close = () => setShown(null);
  if (log.items.length === 0 && log.isWhole)
    return (
      <EmptyState icon="search" title={words.empty}>
        {words.emptySentence}
      </EmptyState>
    );
  return (
    <div className={styles['log']}>
      <ListTable
        label={words.list}
        list={log}
        count={rowCount(log)}
        columns={LOG_COLUMNS}
        rowClassName={styles['cells']}
        rowHeight={ROW}
        cursor={{ active, chosen: shown && log.indexOf(shown.id), moveTo: setActive, open, close }}
      />
      <ListProblem list={log} />
      <p className={styles['more']} role="status">
        {log.isLoadingMore && words.more}
      </p>
      {shown && <LogDetails line={shown} onClose={close} />}
    </div>
  );
}
