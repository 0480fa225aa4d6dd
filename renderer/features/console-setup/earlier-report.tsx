import type { UpgradeReportAnswer } from '../../../shared/api/upgrade.ts';
import { t } from '../../texts/administration.ts';
import styles from './setup.module.css';

const words = t.setup.earlier;

/** Report of an upgrade or of a look at one: what is moved, and a line for everything that needs a person. */
export function EarlierReport({ title, report }: { title: string; report: UpgradeReportAnswer }) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h2 className={styles['label']}>{title}</h2>
      <p className={styles['sentence']}>{words.from(report.source)}</p>
      <dl className={styles['moved']}>
        {report.moved.map(({ what, count }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      {report.line_count > 0 && (
        <>
          <h3 className={styles['label']}>{words.lines(report.line_count)}</h3>
          <Lines texts={report.lines.map(({ text }) => text)} />
          {report.line_count > report.lines.length && (
            <p className={styles['sentence']}>{words.more(report.line_count - report.lines.length)}</p>
          )}
        </>
      )}
    </section>
  );
}

function Lines({ texts }: { texts: readonly string[] }) {
  return (
    <ul className={styles['lines']}>
      {texts.map((text, at) => (
        // Lines have no names, and never change their order.
        <li key={`${at} ${text}`}>{text}</li>
      ))}
    </ul>
  );
}
