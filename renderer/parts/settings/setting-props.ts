import type { Setting } from '../../api/settings.ts';
import type { Option } from '../../ui/choice.tsx';
import type { SettingDrafts } from './setting-drafts.ts';

export interface SettingControlProps {
  readonly setting: Setting;
  readonly drafts: SettingDrafts;
  /** Replaces the label of the definition. */
  readonly label?: string;
  readonly help?: string;
  /** ID of the element that describes the setting. */
  readonly describedBy?: string;
  /** True where the label is already shown beside the control. */
  readonly isLabelHidden?: boolean;
  readonly isDisabled?: boolean;
  /** Replace the choices of the definition, which have no labels of their own. */
  readonly options?: readonly Option<string>[] | undefined;
}
