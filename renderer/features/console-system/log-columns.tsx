import type { Column } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/administration.ts';
import { logSentence } from '../../texts/en/log-sentences.ts';
import { formatFully, formatTimeExactly, formatWhen } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { StateWord, type Tone } from '../../ui/state-word.tsx';
import type { LogLevel, LogLine } from './log-lines.ts';

const words = t.system.logs;

export const LEVEL_SIGNS: Record<LogLevel, { tone: Tone; icon: IconName }> = {
  debug: { tone: 'plain', icon: 'more' },
  info: { tone: 'plain', icon: 'info' },
  warn: { tone: 'warn', icon: 'warn' },
  error: { tone: 'danger', icon: 'alert' },
  fatal: { tone: 'danger', icon: 'close' },
};

/** `10:06:14` today, with the day before it otherwise. */
function timeOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTimeExactly(at) : formatWhen(at);
}

const heads = words.columns;

export const LOG_COLUMNS: readonly Column<LogLine>[] = [
  {
    id: 'level',
    head: heads.level,
    cell: ({ level }) => <StateWord {...LEVEL_SIGNS[level]}>{words.words[level]}</StateWord>,
  },
  {
    id: 'at',
    head: heads.at,
    isQuiet: true,
    title: ({ at }) => (at === null ? undefined : formatFully(at)),
    cell: ({ at }) => (at === null ? words.noTime : timeOf(at)),
  },
  {
    id: 'room',
    head: heads.room,
    isQuiet: true,
    room: 'medium',
    title: ({ room }) => room ?? undefined,
    cell: ({ room }) => room,
  },
  { id: 'message', head: heads.message, title: logSentence, cell: logSentence },
];
