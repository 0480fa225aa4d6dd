import { useMutation } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import styles from './mailboxes.module.css';

const words = t.access.mailbox;

/**
 * Button that moves faxes received before a number had a mailbox, or while it was disabled, by the present number
 * rules.
 */
export function ApplyRules() {
  const applying = useMutation({ mutationFn: () => client.inbound.applyInboundRules() });
  return (
    <div className={styles['apply']}>
      <Button isPending={applying.isPending} onPress={() => applying.mutate()}>
        {words.applyRules}
      </Button>
      <span>{words.applyHelp}</span>
      {applying.data && (
        <Notice tone="ok" isLive>
          {words.applied(formatCount(applying.data.moved), formatCount(applying.data.left))}
        </Notice>
      )}
      {applying.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(applying.error)}
        </Notice>
      )}
    </div>
  );
}
