import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/sent.ts';
import { formatCount } from '../../../ui/format.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';
import { pagesSent } from '../listed-fax.ts';
import styles from './fax-details.module.css';

/** Longer faxes are described in one sentence. */
const MAX_PIPS = 12;

/** Shows the outcome of every page; only confirmed pages show as confirmed. No machine confirmed those of a test fax. */
export function PageMarks({ fax }: { fax: Fax }) {
  const count = fax.document.pages;
  if (count === 0 || fax.test) return null;
  return (
    <section className={styles['section']}>
      <h3>{t.sent.details.pages}</h3>
      {count > MAX_PIPS ? <ManyPages fax={fax} /> : <Pips fax={fax} />}
    </section>
  );
}

function Pips({ fax }: { fax: Fax }) {
  const sent = pagesSent(fax);
  return (
    <ul className={styles['pips']}>
      {Array.from({ length: fax.document.pages }, (_, index) => {
        const mark = sent !== null && index < sent ? CONFIRMED : restMark(fax);
        return (
          <li key={index} className={styles['pip']}>
            {t.ui.pages.page(formatCount(index + 1))}
            <span className={styles['bar']} data-tone={mark.tone} />
            <StateWord tone={mark.tone} icon={mark.icon}>
              {mark.word}
            </StateWord>
          </li>
        );
      })}
    </ul>
  );
}

function ManyPages({ fax }: { fax: Fax }) {
  const sent = pagesSent(fax);
  const all = formatCount(fax.document.pages);
  const words = t.sent.details;
  if (sent === null) return <p>{isUnderWay(fax) ? words.noneYet(all) : words.noneKnown(all)}</p>;
  return (
    <>
      <p>{words.confirmedOf(formatCount(sent), all)}</p>
      <Progress label={words.pages} part={sent / fax.document.pages} />
    </>
  );
}

interface Mark {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

const CONFIRMED: Mark = { tone: 'ok', icon: 'check', word: t.sent.details.confirmed };

const isUnderWay = (fax: Fax) => ['preparing', 'submitting', 'in_progress'].includes(fax.delivery_state);

/** Of the pages that are not confirmed. */
function restMark(fax: Fax): Mark {
  const words = t.sent.details;
  switch (fax.delivery_state) {
    case 'held':
    case 'ready':
    case 'preparing':
    case 'submitting':
    case 'in_progress':
      return { tone: 'plain', icon: 'pending', word: words.waiting };
    case 'reconciliation_required':
      return { tone: 'warn', icon: 'question', word: words.unknown };
    case 'cancelled':
      return { tone: 'plain', icon: 'close', word: words.notSent };
    case 'failed':
    case 'success':
      return { tone: 'plain', icon: 'close', word: words.notConfirmed };
  }
}
