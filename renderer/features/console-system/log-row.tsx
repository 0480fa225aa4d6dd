import { memo } from 'react';
import { t } from '../../texts/house.ts';
import { formatFully, formatTimeExactly, formatWhen } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { StateWord, type Tone } from '../../ui/state-word.tsx';
import type { LogLevel, LogLine } from './log-lines.ts';
import styles from './system.module.css';

const words = t.system.logs;

export const LEVEL_SIGNS: Record<LogLevel, { tone: Tone; icon: IconName }> = {
  debug: { tone: 'plain', icon: 'more' },
  info: { tone: 'plain', icon: 'info' },
  warn: { tone: 'warn', icon: 'warn' },
  error: { tone: 'danger', icon: 'alert' },
  fatal: { tone: 'danger', icon: 'close' },
};

export function LogHeads() {
  const { level, at, room, message } = words.columns;
  return [level, at, room, message].map((word) => (
    <span
      key={word}
      role="columnheader"
      className={`${styles['columnhead']} ${word === room ? styles['room'] : ''}`}
    >
      {word}
    </span>
  ));
}

/** `10:06:14` today, with the day before it otherwise. */
function timeOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTimeExactly(at) : formatWhen(at);
}

/** The cells of one line. */
export const LogRow = memo(function LogRow({ line }: { line: LogLine }) {
  const { at, level, room, message } = line;
  return (
    <>
      <span role="gridcell">
        <StateWord {...LEVEL_SIGNS[level]}>{words.words[level]}</StateWord>
      </span>
      <span role="gridcell" className={styles['quiet']} title={at === null ? undefined : formatFully(at)}>
        {at === null ? words.noTime : timeOf(at)}
      </span>
      <span role="gridcell" className={`${styles['quiet']} ${styles['room']}`} title={room ?? undefined}>
        {room}
      </span>
      <span role="gridcell" title={message}>
        {message}
      </span>
    </>
  );
});
