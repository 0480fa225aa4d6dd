import { useNavigate } from '@tanstack/react-router';
import { useInstallation, usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PaneFoot } from '../../../ui/pane.tsx';
import { useFaxCommand, useResend } from './fax-commands.ts';
import styles from './sending-screen.module.css';

const UNDER_WAY = ['submitting', 'in_progress'];

/** What can be done with the fax now, and why something cannot. */
export function SendingFoot({ fax }: { fax: Fax }) {
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  const isAsked = fax.delivery_state === 'reconciliation_required';
  return (
    <PaneFoot isForm>
      {maySend && (
        <Button
          size="big"
          icon="plus"
          // While the question is open the key answers it.
          {...(isAsked ? {} : { keys: 'n' })}
          onPress={() => void navigate({ to: '/send' })}
        >
          {t.send.newFax}
        </Button>
      )}
      <Button
        variant="plain"
        size="big"
        icon="sent"
        onPress={() => void navigate({ to: '/sent/{-$faxId}', params: { faxId: fax.id } })}
      >
        {t.send.showInSent}
      </Button>
      <span className={styles['aside']}>{UNDER_WAY.includes(fax.delivery_state) && t.send.tooLate}</span>
    </PaneFoot>
  );
}

/** Cancelling and releasing, or sending again what did not arrive. */
export function FaxCommands({ fax }: { fax: Fax }) {
  const command = useFaxCommand(fax);
  const resend = useResend(fax);
  const maySend = usePermission('fax:send');
  const isSendingOff = useInstallation()?.sending.enabled === false;
  const { delivery_state: state } = fax;
  const failure = command.error ?? resend.error;
  if (!maySend || !['held', 'ready', 'failed', 'cancelled'].includes(state)) return null;
  return (
    <>
      <div className={styles['commands']}>
        {state === 'held' && (
          <Button
            isDisabled={isSendingOff}
            isPending={isRunning(command, 'release')}
            onPress={() => command.mutate('release')}
          >
            {t.send.release}
          </Button>
        )}
        {(state === 'held' || state === 'ready') && (
          <Button isPending={isRunning(command, 'cancel')} onPress={() => command.mutate('cancel')}>
            {t.send.cancel}
          </Button>
        )}
        {(state === 'failed' || state === 'cancelled') && (
          <Button icon="refresh" isPending={resend.isPending} onPress={() => resend.mutate()}>
            {t.send.sendAgain}
          </Button>
        )}
        {state === 'held' && isSendingOff && <span className={styles['aside']}>{t.send.sendingOff}</span>}
      </div>
      {failure && (
        <Notice tone="danger" isLive>
          {sentenceOf(failure)}
        </Notice>
      )}
    </>
  );
}

const isRunning = (command: ReturnType<typeof useFaxCommand>, name: 'release' | 'cancel') =>
  command.isPending && command.variables === name;
