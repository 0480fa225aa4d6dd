import { useCallback, useEffect, useState } from 'react';
import { LOG_LEVELS } from '../../../shared/api/console.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/house.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { LogDetails } from './log-details.tsx';
import { type LogLevel, type LogLine, useLogLines } from './log-lines.ts';
import { LogHeads, LogRow } from './log-row.tsx';
import styles from './system.module.css';

const words = t.system.logs;
const ROW = 32;
const AHEAD = 40;

/** What the gateway wrote down, newest first, by gravity and text. */
export function LogPage() {
  const [level, setLevel] = useState<LogLevel>('info');
  const [text, setText] = useState('');
  const log = useLogLines(level, text);
  const refresh = () => void log.refetch();
  useActions(t.system.title, [
    { id: 'refresh', label: t.system.refresh, icon: 'refresh', keys: 'shift+r', run: refresh },
  ]);
  return (
    <Pane label={words.title}>
      <PaneHead title={words.title}>
        <DownloadLink href="/console/logs/file">{words.download}</DownloadLink>
        <Button icon="refresh" keys="shift+r" isPending={log.isRefetching} onPress={refresh}>
          {t.system.refresh}
        </Button>
      </PaneHead>
      <div className={styles['filters']}>
        <div className={styles['search']}>
          <TextField
            label={words.search}
            isLabelHidden
            icon="search"
            placeholder={words.search}
            value={text}
            maxLength={200}
            onChange={setText}
          />
        </div>
        <Choice
          label={words.level}
          isLabelHidden
          value={level}
          onChange={setLevel}
          options={LOG_LEVELS.map((id) => ({ id, label: words.levels[id] }))}
        />
      </div>
      {log.error && (
        <div className={styles['filters']}>
          <Notice tone="danger" isLive>
            {sentenceOf(log.error)}
          </Notice>
        </div>
      )}
      {log.isSuccess && <LogLines key={`${level} ${text.trim()}`} log={log} />}
    </Pane>
  );
}

function LogLines({ log }: { log: ReturnType<typeof useLogLines> }) {
  const { lines, hasNextPage, isFetchingNextPage, fetchNextPage } = log;
  const [active, setActive] = useState<number | null>(null);
  const [chosen, setChosen] = useState<LogLine | null>(null);
  const [last, setLast] = useState(0);
  const isNearEnd = last + AHEAD >= lines.length;
  useEffect(() => {
    // A search may answer pages without a line; it goes on until the list is full or the log ends.
    if (hasNextPage && !isFetchingNextPage && isNearEnd) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isNearEnd, fetchNextPage, lines.length]);
  const onVisible = useCallback((_first: number, end: number) => setLast(end), []);
  const open = (index: number) => {
    setActive(index);
    setChosen(lines[index] ?? null);
  };
  if (lines.length === 0 && !hasNextPage)
    return (
      <EmptyState icon="search" title={words.empty}>
        {words.emptySentence}
      </EmptyState>
    );
  return (
    <div className={styles['log']}>
      <VirtualRows
        label={words.list}
        count={lines.length}
        rowHeight={ROW}
        rowClassName={styles['cells']}
        head={<LogHeads />}
        active={active}
        chosen={chosen ? lines.indexOf(chosen) : null}
        isBusy={isFetchingNextPage}
        onActive={setActive}
        onOpen={open}
        onVisible={onVisible}
        row={(index) => {
          const line = lines[index];
          return line ? <LogRow line={line} /> : null;
        }}
      />
      <p className={styles['more']} role="status">
        {isFetchingNextPage && words.more}
      </p>
      {chosen && <LogDetails line={chosen} onClose={() => setChosen(null)} />}
    </div>
  );
}
