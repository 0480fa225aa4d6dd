import type { PageMark } from '../../../parts/pages/page-props.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatFully, formatTimeExactly } from '../../../ui/format.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import type { FaxStep } from './fax-steps.ts';
import styles from './sending-screen.module.css';

const ICONS: Record<FaxStep['kind'], IconName> = {
  done: 'ok',
  now: 'going',
  unconfirmed: 'question',
  confirmed: 'question',
  failed: 'alert',
  next: 'pending',
};
/** Above this number pages show only as marks beside the document. */
const MAX_PAGES = 10;

/** Steps of the fax; under the last one its pages, where their number is known. */
export function StepList(props: { steps: readonly FaxStep[]; pages: ReadonlyMap<number, PageMark> }) {
  const { steps, pages } = props;
  const last = steps.findLastIndex(({ at }) => at !== null);
  return (
    <ol className={styles['steps']}>
      {steps.map((step, index) => (
        <li key={index} className={styles['step']} data-kind={step.kind}>
          <Icon name={ICONS[step.kind]} />
          <div>
            <p className={styles['stepTitle']}>{step.title}</p>
            {step.sentence && <p className={styles['stepSentence']}>{step.sentence}</p>}
          </div>
          {step.at && (
            <time dateTime={step.at} title={formatFully(step.at)}>
              {formatTimeExactly(step.at)}
            </time>
          )}
          {index === last && pages.size > 0 && pages.size <= MAX_PAGES && <Pips pages={pages} />}
        </li>
      ))}
    </ol>
  );
}

function Pips({ pages }: { pages: ReadonlyMap<number, PageMark> }) {
  return (
    <ul className={styles['pips']}>
      {[...pages].map(([page, { tone, icon, word }]) => (
        <li key={page} className={styles['pip']} data-tone={tone}>
          <span>{t.send.steps.page(formatCount(page))}</span>
          <span className={styles['bar']} />
          <StateWord tone={tone} icon={icon}>
            {word}
          </StateWord>
        </li>
      ))}
    </ul>
  );
}
