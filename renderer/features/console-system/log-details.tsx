import { t } from '../../texts/administration.ts';
import { logSentence } from '../../texts/en/log-sentences.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatFully } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import { Fact } from './facts.tsx';
import { LEVEL_SIGNS } from './log-columns.tsx';
import type { LogLine } from './log-lines.ts';
import styles from './system.module.css';

const words = t.system.logs;

/** The whole of one line: its message uncut and every fact with it. */
export function LogDetails({ line, onClose }: { line: LogLine; onClose: () => void }) {
  const facts = Object.entries(line.facts);
  return (
    <section className={styles['details']} aria-label={words.line} aria-live="polite">
      <div className={styles['line']}>
        <StateWord {...LEVEL_SIGNS[line.level]}>{words.words[line.level]}</StateWord>
        <span className={styles['meta']}>{line.at === null ? words.noTime : formatFully(line.at)}</span>
        <span className={styles['gap']} />
        <IconButton icon="close" label={words.close} isSmall onPress={onClose} />
      </div>
      <p>{logSentence(line)}</p>
      {facts.length === 0 ? (
        <p className={styles['quiet']}>{words.noFacts}</p>
      ) : (
        <dl className={styles['facts']}>
          {facts.map(([name, value]) => (
            <Fact key={name} name={name}>
              <code className={styles['code']}>{textOf(value)}</code>
            </Fact>
          ))}
        </dl>
      )}
    </section>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
