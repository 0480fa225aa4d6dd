import { useEffect } from 'react';
import { type ActOutcome, dismissAct, forgetActs, type OpenAct, useOpenActs } from '../api/acts.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './shell.module.css';

/** Shows the acts that Faxdesk has not answered. The notice leaves by itself once the result is known. */
export function OpenActs() {
  const acts = useOpenActs();
  useEffect(() => forgetActs, []);
  const waiting = acts.filter(({ outcome }) => outcome === null);
  return (
    <>
      {waiting.length > 0 && (
        <div className={styles['notice']}>
          <Notice tone="warn" icon="refresh" isLive title={t.shell.acts.waiting(namesOf(waiting))}>
            {t.shell.acts.waitingSentence}
          </Notice>
        </div>
      )}
      {acts.map(
        ({ id, name, outcome }) => outcome && <EndedAct key={id} id={id} name={name} outcome={outcome} />,
      )}
    </>
  );
}

function EndedAct({ id, name, outcome }: { id: string; name: OpenAct['name']; outcome: ActOutcome }) {
  const words = t.shell.acts;
  const isRefused = outcome.kind === 'refused';
  return (
    <div className={styles['notice']}>
      <Notice
        tone={isRefused ? 'danger' : 'warn'}
        isLive
        title={(isRefused ? words.refused : words.unknown)(words.names[name])}
        action={<Button onPress={() => dismissAct(id)}>{t.shell.dismiss}</Button>}
      >
        {isRefused ? outcome.sentence : words.unknownSentence}
      </Notice>
    </div>
  );
}

const namesOf = (acts: readonly OpenAct[]): readonly string[] => [
  ...new Set(acts.map(({ name }) => t.shell.acts.names[name])),
];
