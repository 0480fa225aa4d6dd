import { t } from '../../texts/index.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fold } from '../../ui/fold.tsx';
import { formatMoment } from '../../ui/format.ts';
import type { DraftOptions } from './draft/draft.ts';
import styles from './options-fold.module.css';
import { timeProblem } from './readiness.ts';

export interface OptionsFoldProps {
  readonly options: DraftOptions;
  readonly isSendingOff: boolean;
  readonly onChange: (options: DraftOptions) => void;
}

/** How and when the fax goes; the usual is chosen already. */
export function OptionsFold({ options, isSendingOff, onChange }: OptionsFoldProps) {
  const change = (changes: Partial<DraftOptions>) => onChange({ ...options, ...changes });
  return (
    <div className={styles['folds']}>
      <Fold title={t.send.more} summary={summaryOf(options)}>
        <div className={styles['options']}>
          <TextField
            label={t.send.sendLater}
            help={t.send.sendLaterHelp}
            type="datetime-local"
            value={options.sendAt}
            onChange={(sendAt) => change({ sendAt })}
            error={timeProblem(options.sendAt, Date.now())}
          />
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

function summaryOf({ sendAt, urgent, byCall, queueOnly }: DraftOptions): string {
  const time = Date.parse(sendAt);
  return [
    Number.isNaN(time) ? t.send.now : t.send.at(formatMoment(new Date(time).toISOString())),
    byCall ? t.send.byCallShort : t.send.byProvider,
    urgent ? t.send.urgentShort : t.send.normalPriority,
    ...(queueOnly ? [t.send.queueShort] : []),
  ].join(', ');
}
