import type { Printout } from '../../api/print-rules.ts';
import { t } from '../../texts/printouts.ts';
import { formatDayAndTime, formatFully, formatWhen } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './printout.module.css';
import { PrintoutActs } from './printout-acts.tsx';
import { PRINT_SIGNS } from './printout-signs.ts';

const words = t.printouts;

/** Shows one printing of a fax: its state, printer and time, and what can be done about it. */
export function PrintoutView({ printout }: { printout: Printout }) {
  const { rule, printer, state, sentence, retry_at, printed_at, recorded_at } = printout;
  const at = printed_at ?? recorded_at;
  return (
    <div className={styles['printout']} role="group" aria-label={words.ofRule(rule.name)}>
      <div className={styles['line']}>
        <StateWord {...PRINT_SIGNS[state]} size="body">
          {state === 'printed' ? words.printedOn(printer, formatWhen(at)) : words.states[state]}
        </StateWord>
        {state !== 'printed' && (
          <>
            <span className={styles['quiet']}>{words.onPrinter(printer)}</span>
            <time className={styles['quiet']} dateTime={at} title={formatFully(at)}>
              {formatWhen(at)}
            </time>
          </>
        )}
      </div>
      {sentence !== null && <p className={styles['sentence']}>{sentence}</p>}
      {retry_at !== null && (
        <p className={styles['quiet']} title={formatFully(retry_at)}>
          {words.retryAt(formatDayAndTime(retry_at))}
        </p>
      )}
      <p className={styles['quiet']}>{words.ofRule(rule.name)}</p>
      <PrintoutActs key={printout.id} printout={printout} />
    </div>
  );
}
