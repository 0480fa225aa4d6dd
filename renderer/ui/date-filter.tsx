import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { Button } from './button.tsx';
import { MenuChip } from './chip.tsx';
import styles from './date-filter.module.css';
import { TextField } from './field.tsx';
import { formatCount } from './format.ts';
import { words } from './words.ts';

/** Today and so many days before it. */
const SPANS = [1, 7, 30] as const;

/** Days as `2026-11-21`, both counted in; empty where open. */
export interface DateSpan {
  readonly since: string;
  readonly until: string;
}

interface DateFilterProps {
  /** Of what the dates are. */
  readonly label: string;
  readonly span: DateSpan;
  readonly onChange: (span: DateSpan) => void;
}

/** From one day to another; either may stay open. */
export function DateFilter({ label, span, onChange }: DateFilterProps) {
  const isOn = span.since !== '' || span.until !== '';
  return (
    <DialogTrigger>
      <MenuChip isOn={isOn} icon="calendar">
        {nameOf(span)}
      </MenuChip>
      <Popover className={styles['popover']} placement="bottom start">
        <Dialog className={styles['dialog']} aria-label={label}>
          {({ close }) => <Days span={span} onChange={onChange} close={close} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Days({ span, onChange, close }: Omit<DateFilterProps, 'label'> & { close: () => void }) {
  const choose = (since: string, until: string) => {
    onChange({ since, until });
    close();
  };
  return (
    <>
      {SPANS.map((days) => (
        <Button key={days} variant="plain" onPress={() => choose(dayBefore(days - 1), '')}>
          {days === 1 ? words.dates.today : words.dates.lastDays(formatCount(days))}
        </Button>
      ))}
      <Button variant="plain" onPress={() => choose('', '')}>
        {words.dates.all}
      </Button>
      <div className={styles['range']}>
        <TextField
          label={words.dates.from}
          type="date"
          value={span.since}
          onChange={(since) => onChange({ ...span, since })}
        />
        <TextField
          label={words.dates.to}
          type="date"
          value={span.until}
          onChange={(until) => onChange({ ...span, until })}
        />
      </div>
    </>
  );
}

function nameOf({ since, until }: DateSpan): string {
  if (since !== '' && until !== '') return words.dates.between(dayName(since), dayName(until));
  if (since !== '') return words.dates.since(dayName(since));
  return until === '' ? words.dates.any : words.dates.until(dayName(until));
}

const dayName = (day: string) =>
  new Intl.DateTimeFormat(navigator.language, { day: 'numeric', month: 'short' }).format(
    new Date(`${day}T12:00:00`),
  );

/** `2026-11-21`, of this computer. */
export function dayBefore(days: number): string {
  const time = new Date();
  time.setDate(time.getDate() - days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
