import { useState } from 'react';
import { refusedNames, type Setting, type SettingChanges } from '../../api/settings.ts';
import { usePhoneReader } from '../../ui/phone-reader.ts';
import { isChange, problemOf, refusalOf, type Typed, typedOf, valueOf } from './setting-draft.ts';

interface Draft {
  readonly typed: Typed;
  /** The setting as it was saved when the input began. */
  readonly from: Setting;
  /** The gateway refused exactly this. */
  readonly isRefused: boolean;
}

export interface SettingDrafts {
  typed(setting: Setting): Typed;
  problem(setting: Setting): string | null;
  /** Returns the setting as it was saved when the input began, if another value was saved since; else null. */
  movedFrom(setting: Setting): Setting | null;
  type(setting: Setting, typed: Typed): void;
  /** Returns true when there is input, also while it changes nothing yet. */
  isBegun(setting: Setting): boolean;
  /** True when there is input for any setting. */
  readonly isAnyBegun: boolean;
  /** Back to what is saved. */
  drop(setting: Setting): void;
  /** The settings that would change. */
  readonly changed: readonly Setting[];
  readonly changes: SettingChanges;
  /** The first change that cannot be saved. */
  readonly wrong: Setting | null;
  discard(): void;
  /** Marks what a refused write named. */
  refuse(error: unknown): void;
}

/** Returns the input over the saved settings that is not saved yet. The saved values may change meanwhile. */
export function useSettingDrafts(settings: readonly Setting[]): SettingDrafts {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const reader = usePhoneReader();
  // A draft may be null: a secret to be taken away.
  const typed = (setting: Setting) => {
    const draft = drafts[setting.name];
    return draft ? draft.typed : typedOf(setting);
  };
  const problem = (setting: Setting) => {
    if (drafts[setting.name]?.isRefused) return refusalOf(setting);
    return problemOf(setting, typed(setting), reader);
  };
  const changed = settings.filter((setting) => isChange(setting, typed(setting)));
  return {
    typed,
    problem,
    movedFrom(setting) {
      const from = drafts[setting.name]?.from;
      const hasMoved = from && JSON.stringify(from.value) !== JSON.stringify(setting.value);
      return hasMoved && isChange(setting, typed(setting)) ? from : null;
    },
    type: (setting, next) =>
      setDrafts((before) => ({
        ...before,
        [setting.name]: { typed: next, from: before[setting.name]?.from ?? setting, isRefused: false },
      })),
    isBegun: ({ name }) => drafts[name] !== undefined,
    isAnyBegun: Object.keys(drafts).length > 0,
    drop: ({ name }) =>
      setDrafts((before) => Object.fromEntries(Object.entries(before).filter(([other]) => other !== name))),
    changed,
    changes: Object.fromEntries(changed.map((it) => [it.name, valueOf(it, typed(it))])),
    wrong: changed.find((setting) => problem(setting) !== null) ?? null,
    discard: () => setDrafts({}),
    refuse(error) {
      const names = refusedNames(error);
      setDrafts((before) =>
        Object.fromEntries(
          Object.entries(before).map(([name, draft]) => [name, { ...draft, isRefused: names.has(name) }]),
        ),
      );
    },
  };
}
