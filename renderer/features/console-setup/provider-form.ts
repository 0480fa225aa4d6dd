import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { LINE_BACKEND } from '../../../shared/backends.ts';
import { useInstallation } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import {
  type Provider,
  providersOf,
  type SettingChanges,
  type Settings,
  saveSettings,
} from '../../api/settings.ts';
import { type Connection, useConnection } from '../../parts/settings/connection-check.tsx';
import { type SettingDrafts, useSettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { t } from '../../texts/administration.ts';
import { useGoTo } from './step-page.tsx';

export interface ProviderForm {
  readonly providers: readonly Provider[];
  readonly chosen: Provider | null;
  choose(backend: string): void;
  readonly drafts: SettingDrafts;
  readonly connection: Connection;
  /** Sentence on why the step cannot continue. */
  readonly problem: string | null;
  /** True when the person continued although the check of the provider failed: saving is still possible. */
  readonly isUnready: boolean;
  readonly isBusy: boolean;
  /** Everything was saved before and works. */
  readonly isSetUp: boolean;
  submit(): Promise<void>;
  saveAnyway(): void;
}

/** The answers of the provider step. Going on tries the connection first, unless everything was saved before. */
export function useProviderForm(settings: Settings): ProviderForm {
  const drafts = useSettingDrafts(settings.settings);
  const choice = useChoice(settings);
  const { chosen } = choice;
  const connection = useConnection(chosen?.backend ?? null, drafts.changes);
  const isSetUp = useInstallation()?.setup.provider === true;
  const [wasRefused, setRefused] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const goTo = useGoTo();
  const navigate = useNavigate();
  const isLine = chosen?.backend === LINE_BACKEND;
  const saving = useMutation({
    mutationFn: async () => {
      const backend: SettingChanges = chosen ? { FAX_BACKEND: chosen.backend } : {};
      await saveSettings({ ...drafts.changes, ...backend }, settings._meta.desired_revision_id);
    },
    onError: drafts.refuse,
    // A line has a page of its own, with everything that it needs.
    onSuccess: () => (isLine ? navigate(LINE_PAGE) : goTo('number')),
  });
  const submit = async () => {
    setAsked(true);
    setRefused(false);
    if (!chosen || drafts.wrong) return;
    if (isSetUp && drafts.changed.length === 0 && chosen === choice.saved) return goTo('number');
    if (isLine) return saving.mutate();
    const { ok } = await connection.check();
    if (ok) saving.mutate();
    else setRefused(true);
  };
  const nobody = isAsked && !chosen ? t.setup.provider.chosenNone : null;
  return {
    ...choice,
    drafts,
    connection,
    problem: saving.error === null ? nobody : sentenceOf(saving.error),
    isUnready: wasRefused && connection.outcome?.ok === false,
    isBusy: saving.isPending || connection.isChecking,
    isSetUp: isSetUp && chosen !== null && chosen === choice.saved,
    submit,
    saveAnyway: () => saving.mutate(),
  };
}

/** Page where a phone line is set up. */
const LINE_PAGE = { to: '/settings/{-$settingsPage}', params: { settingsPage: 'phone-line' } } as const;

/** The chosen provider; the only one there is needs no choosing. */
function useChoice(settings: Settings) {
  const providers = useMemo(() => providersOf(settings), [settings]);
  const [backend, choose] = useState<string | null>(null);
  const value = settings.settings.find(({ name }) => name === 'FAX_BACKEND')?.value ?? null;
  const saved = providers.find((it) => it.backend === value) ?? null;
  const only = providers.length === 1 ? (providers[0] ?? null) : null;
  return {
    providers,
    saved,
    chosen: providers.find((it) => it.backend === backend) ?? saved ?? only,
    choose,
  };
}
