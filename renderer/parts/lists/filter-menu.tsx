import { MenuChip } from '../../ui/chip.tsx';
import { Menu } from '../../ui/menu.tsx';

/** Chip among the filters that opens a list of values, of which one or none is chosen. */
export function FilterMenu(props: {
  label: string;
  all: string;
  options: readonly (readonly [value: string, label: string])[];
  value: string;
  onChange: (value: string) => void;
}) {
  const { label, all, options, value, onChange } = props;
  const entries = [['', all] as const, ...options].map(([id, name]) => ({
    id: `=${id}`,
    label: name,
    ...(id === value && { icon: 'check' as const }),
    run: () => onChange(id),
  }));
  const chosen = options.find(([id]) => id === value)?.[1] ?? value;
  return (
    <Menu label={label} entries={entries}>
      <MenuChip isOn={value !== ''}>{value === '' ? label : chosen}</MenuChip>
    </Menu>
  );
}
