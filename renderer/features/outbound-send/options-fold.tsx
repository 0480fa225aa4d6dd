import type { ReactNode } from 'react';
import { minutesWord } from '../../parts/contacts/minutes.ts';
import { SendLaterField } from '../../parts/schedule/send-later-field.tsx';
import { t } from '../../texts/index.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { part } from '../../ui/focus/places.ts';
import { Fold } from '../../ui/fold.tsx';
import { formatMoment } from '../../ui/format.ts';
import type { DraftOptions } from './draft/draft.ts';
import type { Recipient } from './number/recipient.ts';
import { sendTogetherOf } from './number/send-together.ts';
import styles from './options-fold.module.css';
import { SendHours } from './send-hours.tsx';

interface OptionsFoldProps {
  readonly options: DraftOptions;
  readonly isSendingOff: boolean;
  /** The gateway's check of the number; null without one. */
  readonly check: Pick<
    NonNullable<Recipient['check']>,
    'internal' | 'direct' | 'together_minutes' | 'hours'
  > | null;
  /** It leaves over the phone line. */
  readonly isByLine: boolean;
  readonly onChange: (options: DraftOptions) => void;
  /** Folds before this one. */
  readonly children: ReactNode;
}

/** Options for how and when the fax is sent; the defaults are preselected. */
export function OptionsFold(props: OptionsFoldProps) {
  const { options, isSendingOff, onChange } = props;
  const change = (changes: Partial<DraftOptions>) => onChange({ ...options, ...changes });
  return (
    <div className={styles['folds']}>
      {props.children}
      <div {...part('more')}>
        <Fold title={t.send.more} summary={summaryOf(props)}>
          <div className={styles['options']}>
            <SendLaterField value={options.sendAt} onChange={(sendAt) => change({ sendAt })} />
            <SendHours options={options} hours={props.check?.hours ?? null} onChange={change} />
            <Choice
              label={t.send.urgent}
              help={t.send.urgentHelp}
              isOn={options.urgent}
              onChange={(urgent) => change({ urgent })}
            />
            <Choice
              label={t.send.sendNow}
              help={t.send.sendNowHelp}
              isOn={options.sendNow}
              onChange={(sendNow) => change({ sendNow })}
            />
            <Choice
              label={t.send.byCall}
              help={t.send.byCallHelp}
              isOn={options.byCall}
              onChange={(byCall) => change({ byCall })}
            />
            {(isSendingOff || options.queueOnly) && (
              <Choice
                label={t.send.queueOnly}
                help={t.send.queueOnlyHelp}
                isOn={options.queueOnly}
                onChange={(queueOnly) => change({ queueOnly })}
              />
            )}
          </div>
        </Fold>
      </div>
    </div>
  );
}

function Choice(props: { label: string; help: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <Checkbox isSelected={props.isOn} onChange={props.onChange}>
      {props.label}
      <span className={styles['help']}>{props.help}</span>
    </Checkbox>
  );
}

function summaryOf(props: OptionsFoldProps): string {
  const { urgent, queueOnly } = props.options;
  return [
    whenOf(props),
    wayOf(props),
    urgent ? t.send.urgentShort : t.send.normalPriority,
    ...(queueOnly ? [t.send.queueShort] : []),
  ].join(', ');
}

function whenOf(props: OptionsFoldProps): string {
  const { sendWhen, sendBy } = props.options;
  const hours = sendWhen ? [t.send.sendWhen.short[sendWhen]] : [];
  const latest = Date.parse(sendBy);
  const by = Number.isNaN(latest) ? [] : [t.send.sendBy.short(formatMoment(new Date(latest).toISOString()))];
  const start = hours.length > 0 && props.options.sendAt === '' ? [] : [startOf(props)];
  return [...start, ...hours, ...by].join(', ');
}

function startOf({ options, check, isSendingOff }: OptionsFoldProps): string {
  const time = Date.parse(options.sendAt);
  if (!Number.isNaN(time)) return t.send.at(formatMoment(new Date(time).toISOString()));
  if (isSendingOff) return t.fax.held;
  const leaves = sendTogetherOf(check, options, isSendingOff);
  return leaves?.kind === 'waits' ? t.send.within(minutesWord(leaves.minutes)) : t.send.now;
}

function wayOf({ options: { byCall }, check, isByLine }: OptionsFoldProps): string {
  if (byCall) return t.send.byCallShort;
  if (check?.internal) return t.send.ownNumber.noCallShort;
  if (check?.direct) return t.send.directRecipient.short;
  return isByLine ? t.send.byLine : t.send.byProvider;
}
