import { t } from '../../texts/index.ts';
import { Chip, Chips } from '../../ui/chip.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatClock, formatWeekday } from '../../ui/format.ts';
import { fieldTime, type QuickTime, quickTimes } from './quick-times.ts';
import styles from './schedule.module.css';
import { timeProblem } from './time-problem.ts';

/** Field for the time a fax leaves: the usual times as buttons, or any other time. */
export function SendLaterField(props: {
  value: string;
  onChange: (sendAt: string) => void;
  /** Default: for a fax that is written, which may also leave at once. */
  label?: string;
  help?: string;
  autoFocus?: boolean;
}) {
  const { value, onChange, label = t.send.sendLater, help = t.send.sendLaterHelp } = props;
  return (
    <div className={styles['later']}>
      <TextField
        label={label}
        help={help}
        autoFocus={props.autoFocus ?? false}
        type="datetime-local"
        value={value}
        onChange={onChange}
        error={timeProblem(value, Date.now())}
      />
      <Chips label={t.send.usualTimes}>
        {quickTimes(new Date()).map((time) => (
          <Chip
            key={time.id}
            isOn={value === fieldTime(time.at)}
            onChange={(isOn) => onChange(isOn ? fieldTime(time.at) : '')}
          >
            {wordsOf(time)}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

/** `This evening`, `Tomorrow 8:00 AM`, `Monday 8:00 AM`, by the clock of the person's language. */
function wordsOf({ id, at, isNextWeek }: QuickTime): string {
  const time = formatClock(at.toISOString());
  switch (id) {
    case 'evening':
      return t.send.thisEvening;
    case 'tomorrow':
      return t.send.tomorrowAt(time);
    case 'monday':
      return (isNextWeek ? t.send.nextWeekdayAt : t.send.weekdayAt)(formatWeekday(at), time);
  }
}
