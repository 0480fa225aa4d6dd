import { latestProblem } from '../../parts/schedule/time-problem.ts';
import { t } from '../../texts/index.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import type { DraftOptions } from './draft/draft.ts';
import type { Recipient } from './number/recipient.ts';

type NumberHours = NonNullable<Recipient['check']>['hours'];

/** Hours in which the fax is sent, and its latest time. Says beforehand when it would leave. */
export function SendHours(props: {
  options: DraftOptions;
  /** Null while no number is typed. */
  hours: NumberHours | null;
  onChange: (changes: Partial<DraftOptions>) => void;
}) {
  const { options, hours, onChange } = props;
  const words = t.send.sendWhen;
  const isUnset = options.sendWhen === 'cheap_hours' && hours !== null && hours.cheap === null;
  const help = helpOf(options, hours);
  return (
    <>
      <Choice
        label={words.label}
        {...(help === null || isUnset ? {} : { help })}
        error={isUnset ? words.noCheapHours : null}
        options={[
          { id: 'now', label: words.any },
          { id: 'cheap_hours', label: words.cheap_hours },
          { id: 'recipient_hours', label: words.recipient_hours },
        ]}
        value={options.sendWhen || 'now'}
        onChange={(sendWhen) => onChange({ sendWhen: sendWhen === 'now' ? '' : sendWhen })}
      />
      <TextField
        label={t.send.sendBy.label}
        help={t.send.sendBy.help}
        type="datetime-local"
        value={options.sendBy}
        onChange={(sendBy) => onChange({ sendBy })}
        error={latestProblem(options, Date.now())}
      />
    </>
  );
}

/** Returns the sentence about the chosen hours; null where there is nothing to say. */
function helpOf({ sendAt, sendWhen }: DraftOptions, hours: NumberHours | null): string | null {
  const words = t.send.sendWhen;
  if (hours === null) return null;
  const isOutside = (hours.recipient?.open_at ?? null) !== null;
  if (sendWhen === '') return isOutside && sendAt === '' ? words.outside : null;
  const chosen = sendWhen === 'cheap_hours' ? hours.cheap : hours.recipient;
  if (chosen === null) return words.noHours;
  return sendAt === '' ? (chosen.reason ?? words.open) : words.fromTime;
}
