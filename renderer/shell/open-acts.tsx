import { useEffect } from 'react';
import { type ActOutcome, dismissAct, forgetActs, type OpenAct, useOpenActs } from '../api/acts.ts';
import { useMe } from '../api/queries.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './shell.module.css';

/** Shows the acts that Faxdesk has not answered. The notice leaves by itself once the result is known. */
export function OpenActs() {
  const acts = useOpenActs();
  const wordOf = useActWords();
  useEffect(() => forgetActs, []);
  const waiting = acts.filter(({ outcome }) => outcome === null);
  return (
    <>
      {waiting.length > 0 && (
        <div className={styles['notice']}>
          <Notice
            tone="warn"
            icon="refresh"
            isLive
            title={t.shell.acts.waiting([...new Set(waiting.map(wordOf))])}
          >
            {t.shell.acts.waitingSentence}
          </Notice>
        </div>
      )}
      {acts.map(
        (act) =>
          act.outcome && <EndedAct key={act.id} id={act.id} name={wordOf(act)} outcome={act.outcome} />,
      )}
    </>
  );
}

function EndedAct({ id, name, outcome }: { id: string; name: string; outcome: ActOutcome }) {
  const words = t.shell.acts;
  const isRefused = outcome.kind === 'refused';
  return (
    <div className={styles['notice']}>
      <Notice
        tone={isRefused ? 'danger' : 'warn'}
        isLive
        title={(isRefused ? words.refused : words.unknown)(name)}
        action={<Button onPress={() => dismissAct(id)}>{t.shell.dismiss}</Button>}
      >
        {isRefused ? outcome.sentence : words.unknownSentence}
      </Notice>
    </div>
  );
}

/** Returns a function from an act to the word on the button that was pressed. */
function useActWords(): (act: OpenAct) => string {
  const meId = useMe()?.principal.id;
  const { names, take } = t.shell.acts;
  return ({ name, ownerId }) => (name === 'assign' && ownerId === meId ? take : names[name]);
}
