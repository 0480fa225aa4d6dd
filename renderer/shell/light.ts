import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { problemsQuery } from '../api/problems.ts';
import { type Installation, installationQuery } from '../api/queries.ts';
import { useConnection } from '../api/use-connection.ts';
import { t } from '../texts/index.ts';
import { formatWhen } from '../ui/format.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Tone } from '../ui/state-word.tsx';

/** State of the gateway in one word. Only the tone `ok` is green. */
export interface Light {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
  readonly sentence: string | null;
}

/** Returns the light for the top bar and the tray, the worst first; null until everything it needs was read. */
export function useLight(): Light | null {
  const { lostSince } = useConnection();
  const installation = useQuery(installationQuery);
  const problems = useQuery(problemsQuery);
  // An earlier answer may no longer hold.
  const isUnknown = installation.isError || problems.isError;
  return useMemo(() => {
    if (lostSince !== null) return lostLight(lostSince);
    if (isUnknown) return UNKNOWN;
    if (!installation.data || !problems.data) return null;
    return problemLight(problems.data) ?? lightOf(installation.data);
  }, [lostSince, isUnknown, installation.data, problems.data]);
}

function lostLight(since: number): Light {
  const word = t.shell.lineLost(formatWhen(new Date(since).toISOString()));
  return { tone: 'danger', icon: 'refresh', word, sentence: t.shell.lostSentence };
}

const UNKNOWN: Light = { tone: 'warn', icon: 'warn', word: t.shell.lineUnknown, sentence: null };

function problemLight(problems: readonly string[]): Light | null {
  if (problems.length === 0) return null;
  return { tone: 'danger', icon: 'alert', word: t.shell.lineProblem, sentence: problems.join(' ') };
}

/** The worse of the two directions, then the backup; receiving counts once it is switched on. */
function lightOf({ sending, receiving, backup }: Installation): Light {
  const broken = [sending, receiving].find(({ state, fault }) => state === 'unreachable' || fault !== null);
  if (broken) {
    const word = t.shell.lineFaults[broken.fault ?? 'no_answer'];
    return { tone: 'danger', icon: 'alert', word, sentence: broken.sentence };
  }
  const { sentence } = sending;
  if (sending.state === 'off') return { tone: 'plain', icon: 'pause', word: t.shell.lineOff, sentence };
  if (sending.state === 'not_set_up')
    return { tone: 'plain', icon: 'info', word: t.shell.lineNotSetUp, sentence };
  if (receiving.state === 'not_set_up')
    return { tone: 'warn', icon: 'warn', word: t.shell.lineNotReceiving, sentence: receiving.sentence };
  if (backup.state !== 'ok')
    return { tone: 'warn', icon: 'warn', word: t.shell.lineNoBackup, sentence: backup.sentence };
  const word = receiving.state === 'ok' ? t.shell.lineBoth : t.shell.lineOk;
  return { tone: 'ok', icon: 'ok', word, sentence };
}
