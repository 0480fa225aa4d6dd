import type { Setting } from '../../api/settings.ts';
import type { Option } from '../../ui/choice.tsx';
import type { SettingDrafts } from './setting-drafts.ts';

export interface SettingControlProps {
  readonly setting: Setting;
  readonly drafts: SettingDrafts;
  /** In place of the definition's own label. */
  readonly label?: string;
  readonly help?: string;
  /** Id of the element that describes the setting. */
  readonly describedBy?: string;
  /** The label stands beside it already. */
  readonly isLabelHidden?: boolean;
  readonly isDisabled?: boolean;
  /** In place of the bare choices of the definition. */
  readonly options?: readonly Option<string>[] | undefined;
}
