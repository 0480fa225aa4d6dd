import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useInstallation } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { type Provider, providersOf, type Settings, saveSettings } from '../../api/settings.ts';
import { t } from '../../texts/administration.ts';
import { useGoTo } from './step-page.tsx';

type Answer = 'receive' | 'send_only';

interface ReceivingForm {
  /** Null before anything was answered. */
  readonly answer: Answer | null;
  choose(answer: Answer): void;
  /** Provider that delivers received faxes; null while there is none. */
  readonly provider: Provider | null;
  readonly problem: string | null;
  readonly isBusy: boolean;
  submit(): void;
}

const KEY = 'faxdesk.send-only';

/**
 * Returns true when a person answered in this browser that no faxes come in. The gateway does not distinguish this from
 * no answer.
 */
export function isSendOnly(): boolean {
  return localStorage.getItem(KEY) !== null;
}

export function useReceivingForm(saved: Settings): ReceivingForm {
  const { settings, _meta } = saved;
  const installation = useInstallation();
  const isOn = installation?.receiving.enabled === true;
  const [answer, choose] = useState<Answer | null>(isOn ? 'receive' : isSendOnly() ? 'send_only' : null);
  const [isChecked, setChecked] = useState(false);
  const backend = settings.find(({ name }) => name === 'FAX_BACKEND')?.value;
  const provider = providersOf(saved).find((it) => it.backend === backend) ?? null;
  const goTo = useGoTo();
  const saving = useMutation({
    mutationFn: async (wanted: Answer) => {
      const receives = wanted === 'receive';
      if (receives !== isOn) await saveSettings({ INBOUND_ENABLED: receives }, _meta.desired_revision_id);
      if (receives) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, 'yes');
    },
    onSuccess: () => goTo('test'),
  });
  const isMissing = isChecked && answer === null;
  return {
    answer,
    choose,
    provider: installation?.setup.provider === true ? provider : null,
    problem:
      saving.error === null ? (isMissing ? t.setup.receiving.missing : null) : sentenceOf(saving.error),
    isBusy: saving.isPending,
    submit() {
      setChecked(true);
      if (answer !== null) saving.mutate(answer);
    },
  };
}
