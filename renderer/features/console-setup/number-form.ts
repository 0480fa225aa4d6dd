import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { type Setting, type Settings, saveSettings } from '../../api/settings.ts';
import { type SettingDrafts, useSettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { t } from '../../texts/administration.ts';
import { usePhoneReader } from '../../ui/phone-reader.ts';
import { useGoTo } from './step-page.tsx';

export interface NumberForm {
  readonly drafts: SettingDrafts;
  readonly organization: Setting;
  readonly number: Setting;
  readonly country: Setting;
  readonly timeZone: Setting;
  /** The own number as it will be saved; null while it is not whole. */
  readonly e164: string | null;
  readonly numberProblem: string | null;
  readonly problem: string | null;
  readonly isBusy: boolean;
  submit(): void;
}

function settingOf({ settings }: Settings, name: string): Setting {
  const found = settings.find((setting) => setting.name === name);
  if (!found) throw new Error(`The gateway has no setting ${name}.`);
  return found;
}

/** The answers of the step; the number may be written as the people of the country write it. */
export function useNumberForm(settings: Settings): NumberForm {
  const drafts = useSettingDrafts(settings.settings);
  const organization = settingOf(settings, 'FAX_ORGANIZATION');
  const number = settingOf(settings, 'FAX_NUMBER');
  const country = settingOf(settings, 'FAX_DEFAULT_COUNTRY');
  const reader = usePhoneReader();
  const [isChecked, setChecked] = useState(false);
  const goTo = useGoTo();
  const text = String(drafts.typed(number)).trim();
  const e164 = reader?.toE164(text, String(drafts.typed(country))) ?? null;
  const isNamed = String(drafts.typed(organization)).trim() !== '';
  const saving = useMutation({
    mutationFn: async () => {
      const { FAX_NUMBER: _typed, ...others } = drafts.changes;
      const changes = e164 === number.value ? others : { ...others, FAX_NUMBER: e164 };
      if (Object.keys(changes).length > 0) await saveSettings(changes, settings._meta.desired_revision_id);
    },
    onError: drafts.refuse,
    onSuccess: () => goTo('receiving'),
  });
  const isMissing = isChecked && (!isNamed || text === '');
  return {
    drafts,
    organization,
    number,
    country,
    timeZone: settingOf(settings, 'TIME_ZONE'),
    e164,
    numberProblem: isChecked && text !== '' && e164 === null ? t.setup.number.numberWrong : null,
    problem: saving.error === null ? (isMissing ? t.setup.number.missing : null) : sentenceOf(saving.error),
    isBusy: saving.isPending,
    submit() {
      setChecked(true);
      const isWrong = drafts.wrong !== null && drafts.wrong !== number;
      if (isNamed && e164 !== null && !isWrong) saving.mutate();
    },
  };
}
