import { Link, useNavigate } from '@tanstack/react-router';
import { LIMITS } from '../../../../shared/limits.ts';
import { useInstallation, usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { type Fax, wasUnreached } from '../../../parts/fax-state.ts';
import { SendAgain } from '../../../parts/send-again.tsx';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { BEGIN, ENDS } from '../../../ui/focus/places.ts';
import { Notice } from '../../../ui/notice.tsx';
import { PaneFoot } from '../../../ui/pane.tsx';
import { useFaxCommand, useTryAgain } from './fax-commands.ts';
import styles from './sending-screen.module.css';

const ENDED: readonly string[] = ['success', 'failed', 'cancelled'];
const UNDER_WAY = ['submitting', 'in_progress'];

/** Footer with the actions possible now, and the reasons why others are not. */
export function SendingFoot({ fax }: { fax: Fax }) {
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  return (
    <PaneFoot isForm>
      {maySend && (
        <span {...BEGIN}>
          <Button size="big" icon="plus" keys="n" onPress={() => void navigate({ to: '/send' })}>
            {t.send.newFax}
          </Button>
        </span>
      )}
      <Button
        variant="plain"
        size="big"
        icon="sent"
        onPress={() => void navigate({ to: '/sent/{-$sentId}', params: { sentId: fax.id } })}
      >
        {t.send.showInSent}
      </Button>
      <span className={styles['aside']}>{UNDER_WAY.includes(fax.delivery_state) && t.send.tooLate}</span>
    </PaneFoot>
  );
}

/** Buttons that cancel and release the fax, or send again what did not arrive. */
export function FaxCommands({ fax, isFocused = false }: { fax: Fax; isFocused?: boolean }) {
  const command = useFaxCommand(fax);
  const later = useTryAgain(fax);
  const maySend = usePermission('fax:send');
  const isSendingOff = useInstallation()?.sending.enabled === false;
  const mayPassLimits = usePermission('routing:manage');
  const { delivery_state: state } = fax;
  const isOverLimit = fax.held_reason !== null && !mayPassLimits;
  const failure = command.error ?? later.error;
  if (!maySend || !['held', 'ready', ...ENDED].includes(state)) return null;
  return (
    <>
      <div className={styles['commands']}>
        {state === 'held' && (
          <Button
            isDisabled={isSendingOff || isOverLimit}
            isPending={isRunning(command, 'release')}
            onPress={() => command.mutate('release')}
          >
            {t.send.release}
          </Button>
        )}
        {(state === 'held' || state === 'ready') && (
          <Button {...ENDS} isPending={isRunning(command, 'cancel')} onPress={() => command.mutate('cancel')}>
            {t.send.cancel}
          </Button>
        )}
        {wasUnreached(fax) && (
          <Button icon="clock" isPending={later.isPending} onPress={() => later.mutate()}>
            {t.fax.tryAgainIn(LIMITS.tryAgainMinutes)}
          </Button>
        )}
        {ENDED.includes(state) && <SendAgain fax={fax} isFocused={isFocused} />}
        {fax.tried_again_as !== null && (
          <Link to="/send/$faxId" params={{ faxId: fax.tried_again_as }}>
            {t.fax.triedAgain}
          </Link>
        )}
        {state === 'held' && (isSendingOff || isOverLimit) && (
          <span className={styles['aside']}>{isSendingOff ? t.send.sendingOff : t.fax.mayNotPassLimit}</span>
        )}
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
