import { useNavigate } from '@tanstack/react-router';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Draft } from '../draft/draft.ts';
import type { Recipient } from '../number/recipient.ts';
import styles from '../send-screen.module.css';
import { compareWithLastTry, type SendingProblem } from './sending-problem.ts';

/** Shows the result of the last try, without promising more than is certain. */
export function SendOutcome(props: {
  problem: SendingProblem | null;
  draft: Draft;
  recipient: Recipient;
  isSending: boolean;
  onSendAsNew: () => void;
}) {
  const { problem, draft, recipient, isSending, onSendAsNew } = props;
  if (isSending) return null;
  if (problem?.kind === 'other')
    return <EarlierSubmission sentence={problem.sentence} onSendAsNew={onSendAsNew} />;
  if (problem?.part === 'send') {
    const isUnknown = problem.kind === 'unknown';
    return (
      <Notice
        tone={isUnknown ? 'warn' : 'danger'}
        icon={isUnknown ? 'question' : 'alert'}
        title={isUnknown ? t.send.unknownTitle : t.send.notSent}
        isLive
      >
        {problem.sentence}
      </Notice>
    );
  }
  const left = problem === null && recipient.hasRules ? compareWithLastTry(draft, recipient.number) : null;
  if (left === null) return null;
  return (
    <Notice tone="warn" icon="question" title={t.send.leftOpenTitle}>
      {left === 'same' ? t.send.leftOpen : t.send.leftOpenChanged}
    </Notice>
  );
}

function EarlierSubmission({ sentence, onSendAsNew }: { sentence: string; onSendAsNew: () => void }) {
  const navigate = useNavigate();
  return (
    <Notice tone="warn" icon="question" title={t.send.earlierTitle} isLive>
      <p>{sentence}</p>
      <div className={styles['answers']}>
        <Button onPress={() => void navigate({ to: '/sent/{-$sentId}' })}>{t.send.showInSent}</Button>
        <Button onPress={onSendAsNew}>{t.send.sendAsNew}</Button>
      </div>
    </Notice>
  );
}
