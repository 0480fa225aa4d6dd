import { useQuery } from '@tanstack/react-query';
import { usePermission } from '../../../api/queries.ts';
import type { Setting } from '../../../api/settings.ts';
import { type Preset, presetsQuery } from '../../../api/telephony.ts';
import type { SettingDrafts } from '../../../parts/settings/setting-drafts.ts';
import { t } from '../../../texts/administration.ts';
import type { Option } from '../../../ui/choice.tsx';
import { Notice } from '../../../ui/notice.tsx';

const PRESET = 'TRUNK_PRESET';

/** The carriers to choose from; none on other pages, and for who may not change providers. */
export function usePresets(settings: readonly Setting[]): readonly Preset[] {
  const mayAsk = usePermission('providers:write');
  const isLine = settings.some(({ name }) => name === PRESET);
  return useQuery({ ...presetsQuery, enabled: mayAsk && isLine }).data ?? [];
}

/** Returns the options of the carrier field; undefined for every other setting, and while there are no presets. */
export function presetOptions({ name }: Setting, presets: readonly Preset[]): Option<string>[] | undefined {
  if (name !== PRESET || presets.length === 0) return undefined;
  return [
    { id: '', label: t.settings.line.byHand },
    ...presets.map((preset) => ({ id: preset.name, label: preset.label })),
  ];
}

/** Returns drafts in which choosing a carrier also fills in the values of its trunks, to be reviewed and saved. */
export function draftsWithPresets(
  drafts: SettingDrafts,
  settings: readonly Setting[],
  presets: readonly Preset[],
): SettingDrafts {
  return {
    ...drafts,
    type(setting, typed) {
      drafts.type(setting, typed);
      const preset = setting.name === PRESET ? presets.find(({ name }) => name === typed) : undefined;
      for (const [name, { value }] of Object.entries(preset?.values ?? {})) {
        const target = settings.find((each) => each.name === name);
        if (target) drafts.type(target, typeof value === 'boolean' ? value : String(value));
      }
    },
  };
}

/** Notice below the carrier field: remarks about the chosen carrier, and the values that were not verified yet. */
export function PresetNotice(props: {
  field: Setting;
  drafts: SettingDrafts;
  settings: readonly Setting[];
  presets: readonly Preset[];
}) {
  const { field, drafts, settings, presets } = props;
  if (field.name !== PRESET) return null;
  const preset = presets.find(({ name }) => name === drafts.typed(field));
  if (!preset) return null;
  const unsure = settings.filter(({ name }) => preset.values[name]?.state === 'to be checked');
  return (
    <Notice tone="plain" title={t.settings.line.compare(preset.label)}>
      {preset.note !== '' && <p>{preset.note}</p>}
      {preset.hosts.length > 0 && <p>{t.settings.line.hosts(preset.hosts)}</p>}
      {unsure.length > 0 && <p>{t.settings.line.unsure(unsure.map(({ label }) => label))}</p>}
    </Notice>
  );
}
