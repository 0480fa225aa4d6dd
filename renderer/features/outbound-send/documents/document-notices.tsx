import { titleOf } from '../../../parts/draft-files.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from '../send-screen.module.css';
import type { Incoming } from './incoming.ts';

/** Shows notices about the documents together: files that were refused, files added twice, and why none can be sent. */
export function DocumentNotices({ incoming, refused }: { incoming: Incoming; refused: string | null }) {
  const { refusals, twice } = incoming;
  return (
    <>
      {refusals.length > 0 && (
        <Notice tone="danger" title={t.send.notTaken} isLive>
          {refusals.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      )}
      {twice.length > 0 && <Twice incoming={incoming} />}
      {refused !== null && (
        <Notice tone="danger" title={t.send.notSent} isLive>
          {refused}
        </Notice>
      )}
    </>
  );
}

function Twice({ incoming: { twice, addAgain, leaveOut } }: { incoming: Incoming }) {
  const [first] = twice;
  return (
    <Notice
      tone="warn"
      icon="question"
      isLive
      title={t.send.twice(twice.length, first ? titleOf(first) : '')}
    >
      <div className={styles['answers']}>
        <Button autoFocus onPress={leaveOut}>
          {t.send.twiceLeaveOut}
        </Button>
        <Button onPress={addAgain}>{t.send.twiceAdd}</Button>
      </div>
    </Notice>
  );
}
