import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Backend } from '../../../shared/backends.ts';
import { client } from '../../api/client.ts';
import { installationQuery, queryClient } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import type { SettingChanges } from '../../api/settings.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { formatTimeExactly } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './connection-check.module.css';

interface Checked {
  readonly ok: boolean;
  readonly detail: string;
  readonly at: string;
}

export interface Connection {
  /** Result of checking the current values; null when they were not checked. */
  readonly outcome: Checked | null;
  readonly isChecking: boolean;
  check(): Promise<Checked>;
}

/** Tries a provider with what is saved and what was typed over it. Nothing is saved by it. */
export function useConnection(backend: Backend | null, values: SettingChanges): Connection {
  const tried = JSON.stringify([backend, values]);
  const [last, setLast] = useState<{ of: string; outcome: Checked } | null>(null);
  const trial = useMutation({
    mutationFn: async (provider: Backend) =>
      client.settings.validate({ body: { provider, settings: { ...values } } }),
  });
  return {
    outcome: last?.of === tried ? last.outcome : null,
    isChecking: trial.isPending,
    async check() {
      const outcome = await outcomeOf(backend, trial.mutateAsync);
      setLast({ of: tried, outcome });
      // A provider that was called unreachable answered.
      if (outcome.ok) void queryClient.invalidateQueries({ queryKey: installationQuery.queryKey });
      return outcome;
    },
  };
}

async function outcomeOf(
  backend: Backend | null,
  ask: (backend: Backend) => Promise<{ ok: boolean; detail: string }>,
): Promise<Checked> {
  const at = () => new Date().toISOString();
  if (backend === null) return { ok: false, detail: t.setup.provider.chosenNone, at: at() };
  try {
    return { ...(await ask(backend)), at: at() };
  } catch (error) {
    return { ok: false, detail: sentenceOf(error), at: at() };
  }
}

/** The button that tries the provider, and what came of it. */
export function ConnectionCheck({
  connection,
  notYet = null,
}: {
  connection: Connection;
  /** Sentence on why nothing can be checked now, beside the disabled button; null when it can. */
  notYet?: string | null;
}) {
  const { outcome, isChecking } = connection;
  const reason = useId();
  return (
    <div className={styles['check']}>
      <div className={styles['line']}>
        <Button
          icon="refresh"
          isPending={isChecking}
          isDisabled={notYet !== null}
          {...(notYet === null ? {} : { 'aria-describedby': reason })}
          onPress={() => void connection.check()}
        >
          {outcome ? t.settings.checkAgain : t.settings.check}
        </Button>
        <span className={styles['when']} id={reason}>
          {!isChecking && notYet}
          {isChecking && t.settings.checking}
          {!isChecking && notYet === null && outcome && t.settings.checkedAt(formatTimeExactly(outcome.at))}
        </span>
      </div>
      <div role="status" className={styles['outcome']}>
        {!isChecking && outcome && (
          <StateWord tone={outcome.ok ? 'ok' : 'danger'} icon={outcome.ok ? 'ok' : 'alert'} size="body">
            <span className={styles['sentence']}>{outcome.detail}</span>
          </StateWord>
        )}
      </div>
    </div>
  );
}
