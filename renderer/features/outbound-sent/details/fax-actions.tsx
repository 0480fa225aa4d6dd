import { useMutation } from '@tanstack/react-query';
import { LIMITS } from '../../../../shared/limits.ts';
import { client } from '../../../api/client.ts';
import { refetchFax, storeFax } from '../../../api/outbound.ts';
import { queryClient, useInstallation, usePermission } from '../../../api/queries.ts';
import { isStatus, sentenceOf } from '../../../api/sentence.ts';
import { type Fax, wasUnreached } from '../../../parts/fax-state.ts';
import { SendAgain } from '../../../parts/send-again.tsx';
import { t } from '../../../texts/sent.ts';
import { Button } from '../../../ui/button.tsx';
import { ENDS } from '../../../ui/focus/places.ts';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-details.module.css';

interface FaxActionsProps {
  readonly fax: Fax;
  /** True right after a person recorded that it did not arrive; the next action is to send it again. */
  readonly isMissing: boolean;
  /** Somebody was faster: the gateway's sentence. */
  readonly onStale: (sentence: string | null) => void;
  /** The pages are shown, so that their keys are those of the pages. */
  readonly withPages: boolean;
  /** The id of the new fax. */
  readonly onSent: (id: string) => void;
}

/** Buttons for the fax. One that is not possible yet shows the reason. */
export function FaxActions({ fax, isMissing, withPages, onStale, onSent }: FaxActionsProps) {
  const command = useFaxCommand(fax, onStale);
  const commands = useCommands(fax);
  const later = useTryAgain(fax, onSent);
  const maySend = usePermission('fax:send');
  const notYet = resendRefusal(fax);
  const failure = command.failure ?? later.error;
  const reasons = [...commands.map(({ why }) => why), maySend ? notYet : null].filter((why) => why !== null);
  return (
    <>
      <div className={styles['line']} role="group" aria-label={t.sent.actions.label}>
        {commands.map(({ name, why }) => (
          <Button
            key={name}
            {...(name === 'cancel' && ENDS)}
            isDisabled={why !== null}
            isPending={command.isPending && command.variables === name}
            onPress={() => command.mutate(name)}
          >
            {t.sent.actions[name]}
          </Button>
        ))}
        {maySend && wasUnreached(fax) && (
          <Button icon="clock" isPending={later.isPending} onPress={() => later.mutate()}>
            {t.fax.tryAgainIn(LIMITS.tryAgainMinutes)}
          </Button>
        )}
        {maySend && (
          <SendAgain fax={fax} isFocused={isMissing} isDisabled={notYet !== null} hasKey={!withPages} />
        )}
      </div>
      <Reasons reasons={reasons} />
      {failure !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(failure)}
        </Notice>
      )}
    </>
  );
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <div className={styles['reasons']}>
      {reasons.map((why) => (
        <p key={why}>{why}</p>
      ))}
    </div>
  );
}

/** Returns the commands that fit the state and the person; `why` is the obstacle, or null. */
function useCommands(fax: Fax): { name: CommandName; why: string | null }[] {
  const maySend = usePermission('fax:send');
  const mayAsk = usePermission('fax:refresh');
  const isSendingOff = useInstallation()?.sending.enabled === false;
  const mayPassLimits = usePermission('routing:manage');
  const { delivery_state, held_reason, provider_sid } = fax;
  const overLimit = held_reason !== null && !mayPassLimits ? t.fax.mayNotPassLimit : null;
  const isKnown =
    provider_sid !== null && ['in_progress', 'reconciliation_required'].includes(delivery_state);
  return [
    ...(maySend && delivery_state === 'held'
      ? [{ name: 'release' as const, why: isSendingOff ? t.sent.actions.sendingOff : overLimit }]
      : []),
    ...(maySend && ['held', 'ready'].includes(delivery_state)
      ? [{ name: 'cancel' as const, why: null }]
      : []),
    ...(mayAsk && isKnown ? [{ name: 'refresh' as const, why: null }] : []),
  ];
}

function resendRefusal({ delivery_state }: Fax): string | null {
  if (['success', 'failed', 'cancelled'].includes(delivery_state)) return null;
  return delivery_state === 'reconciliation_required' ? t.sent.actions.undecided : t.sent.actions.notEnded;
}

type CommandName = 'release' | 'cancel' | 'refresh';

const ANNOUNCEMENTS: Record<CommandName, string> = {
  release: t.sent.actions.released,
  cancel: t.sent.actions.cancelled,
  refresh: t.sent.actions.refreshed,
};

/**
 * Does something with the version of the fax that the person looked at. When it changed meanwhile nothing is done: the
 * sentence goes to `onStale` and the fax is read again. `failure` is any other refusal.
 */
function useFaxCommand(fax: Fax, onStale: (sentence: string | null) => void) {
  const command = useMutation({
    mutationFn: (name: CommandName) => carryOut(name, fax),
    onMutate: () => onStale(null),
    onSuccess: (next, name) => {
      storeFax(next);
      announce(ANNOUNCEMENTS[name]);
    },
    onError: (error) => {
      if (!isStatus(error, 409)) return;
      onStale(sentenceOf(error));
      refetchFax(fax.id);
    },
  });
  return { ...command, failure: isStatus(command.error, 409) ? null : command.error };
}

function carryOut(name: CommandName, { id, delivery_version }: Fax): Promise<Fax> {
  const params = { id };
  const body = { delivery_version };
  switch (name) {
    case 'release':
      return client.outbound.releaseFax({ params, body });
    case 'cancel':
      return client.outbound.cancelFax({ params, body });
    case 'refresh':
      return client.outbound.refreshFax({ params });
  }
}

/** Tries a busy or unanswered number again in a few minutes: one new fax, however often it is called. */
function useTryAgain(fax: Fax, onSent: (id: string) => void) {
  const phone = usePhoneFormat();
  return useMutation({
    mutationFn: () => client.outbound.tryFaxAgain({ params: { id: fax.id } }),
    onSuccess: (sent) => {
      announce(t.sent.actions.accepted(phone(sent.to)));
      void queryClient.invalidateQueries({ queryKey: ['fax', fax.id] });
      onSent(sent.id);
    },
  });
}
