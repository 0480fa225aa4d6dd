import { SendLaterField } from '../../parts/schedule/send-later-field.tsx';
import { latestProblem, timeProblem } from '../../parts/schedule/time-problem.ts';
import { t } from '../../texts/index.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';

/** Times of a broadcast as they are typed, in the local time of this computer; empty for none. */
export interface HoursForm {
  readonly sendAt: string;
  readonly sendBy: string;
  readonly sendWhen: 'now' | 'cheap_hours';
}

export const NO_HOURS: HoursForm = { sendAt: '', sendBy: '', sendWhen: 'now' };

/** Fields of the request. */
export function hoursFormFields({ sendAt, sendBy, sendWhen }: HoursForm): Record<string, string> {
  return {
    ...(sendAt && { send_at: new Date(sendAt).toISOString() }),
    ...(sendBy && { send_by: new Date(sendBy).toISOString() }),
    ...(sendWhen === 'now' ? {} : { send_when: sendWhen }),
  };
}

/** Returns a sentence on what is wrong with the times; null when they are valid. */
export function hoursProblem(hours: HoursForm): string | null {
  const now = Date.now();
  return timeProblem(hours.sendAt, now) ?? latestProblem(hours, now);
}

/** The earliest and the latest time of a broadcast, and its hours. */
export function BroadcastHours({
  value,
  onChange,
}: {
  value: HoursForm;
  onChange: (value: HoursForm) => void;
}) {
  return (
    <>
      <SendLaterField value={value.sendAt} onChange={(sendAt) => onChange({ ...value, sendAt })} />
      <TextField
        label={t.send.sendBy.label}
        help={t.send.sendBy.help}
        type="datetime-local"
        value={value.sendBy}
        onChange={(sendBy) => onChange({ ...value, sendBy })}
        error={latestProblem(value, Date.now())}
      />
      <Choice
        label={t.send.sendWhen.label}
        options={[
          { id: 'now', label: t.send.sendWhen.any },
          { id: 'cheap_hours', label: t.send.sendWhen.cheap_hours },
        ]}
        value={value.sendWhen}
        onChange={(sendWhen) => onChange({ ...value, sendWhen })}
      />
    </>
  );
}
