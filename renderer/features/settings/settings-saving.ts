import { useMutation } from '@tanstack/react-query';
import { isRefused, sentenceOf } from '../../api/sentence.ts';
import { refetchSettings, refusedNames, type Settings, saveSettings } from '../../api/settings.ts';
import type { SettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { t } from '../../texts/administration.ts';
import { announce } from '../../ui/live-region.tsx';

export interface SettingsSaving {
  readonly isBusy: boolean;
  /** Sentence on why the last try failed. */
  readonly problem: string | null;
  readonly isSaved: boolean;
  save(): void;
  forget(): void;
}

/** Saves all changes or none. A newer revision by another person is read first, and the input stays. */
export function useSettingsSaving(settings: Settings, drafts: SettingDrafts): SettingsSaving {
  const saving = useMutation({
    mutationFn: () => saveSettings(drafts.changes, settings._meta.desired_revision_id),
    onSuccess: () => {
      drafts.discard();
      announce(t.settings.saved);
    },
    onError: async (error) => {
      drafts.refuse(error);
      if (isRefused(error, 'stale')) await refetchSettings();
    },
  });
  return {
    isBusy: saving.isPending,
    problem: saving.error === null ? null : problemOf(saving.error),
    isSaved: saving.isSuccess && !drafts.isAnyBegun,
    save: () => saving.mutate(),
    forget: () => saving.reset(),
  };
}

function problemOf(error: unknown): string {
  if (isRefused(error, 'stale')) return t.settings.stale;
  return refusedNames(error).size > 0 ? t.settings.refusedSome : sentenceOf(error);
}
