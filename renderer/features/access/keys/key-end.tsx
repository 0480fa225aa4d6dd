import { useState } from 'react';
import { t } from '../../../texts/access.ts';
import { Choice } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatFully } from '../../../ui/format.ts';
import styles from './keys.module.css';

const words = t.access.key;
const SPANS = { days30: 30, days90: 90, days365: 365 } as const;
type EndKind = 'stays' | 'never' | keyof typeof SPANS | 'day';

interface KeyEnd {
  readonly kind: EndKind;
  /** `2026-12-31`, for `day`. */
  readonly day: string;
}

/** Returns the state of the choice of when a key ends. `now` is the present end, kept until another is chosen. */
export function useKeyEnd(now?: string | null) {
  const [end, setEnd] = useState<KeyEnd>({ kind: now === undefined ? 'never' : 'stays', day: '' });
  const missing = end.kind === 'day' && end.day === '' ? t.access.change.missing.lastDay : null;
  return { end, setEnd, missing, now };
}

export function KeyEndField({ field }: { field: ReturnType<typeof useKeyEnd> }) {
  const { end, setEnd, now } = field;
  const stays = { id: 'stays' as const, label: words.endStays(now ? formatFully(now) : words.never) };
  return (
    <div className={styles['end']}>
      <Choice
        label={words.ends}
        value={end.kind}
        onChange={(kind) => setEnd({ ...end, kind })}
        options={[
          ...(now === undefined ? [] : [stays]),
          { id: 'never', label: words.never },
          { id: 'days30', label: words.inDays(30) },
          { id: 'days90', label: words.inDays(90) },
          { id: 'days365', label: words.inYear },
          { id: 'day', label: words.onDay },
        ]}
      />
      {end.kind === 'day' && (
        <TextField
          label={words.lastDay}
          type="date"
          value={end.day}
          onChange={(day) => setEnd({ ...end, day })}
        />
      )}
    </div>
  );
}

/** For the gateway: undefined leaves it as it is, null is no end. */
export function endTime({ kind, day }: KeyEnd): string | null | undefined {
  switch (kind) {
    case 'stays':
      return undefined;
    case 'never':
      return null;
    case 'day':
      return new Date(`${day}T23:59:59`).toISOString();
    default:
      return inHours(SPANS[kind] * 24);
  }
}

export function inHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}
