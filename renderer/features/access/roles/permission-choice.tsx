import type { Permission } from '../../../../shared/permissions.ts';
import { t } from '../../../texts/access.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { type PermissionGroup, permissionWords, usePermissionGroups } from '../lists/permission-words.ts';
import styles from './roles.module.css';

interface PermissionChoiceProps {
  readonly label: string;
  readonly chosen: ReadonlySet<Permission>;
  readonly onChange: (chosen: ReadonlySet<Permission>) => void;
  /** Returns a note beside a permission; null for none. */
  readonly note?: (permission: Permission) => string | null;
  /** Only these are offered, and those that are chosen already. */
  readonly offers?: (permission: Permission) => boolean;
}

/** Permissions as checkboxes by group; a group is chosen as a whole by its own. */
export function PermissionChoice(props: PermissionChoiceProps) {
  const { chosen, offers = () => true } = props;
  const groups = usePermissionGroups()
    .map((group) => ({
      ...group,
      permissions: group.permissions.filter((it) => chosen.has(it) || offers(it)),
    }))
    .filter((group) => group.permissions.length > 0);
  return (
    <div role="group" aria-label={props.label} className={styles['choice']}>
      {groups.map((group) => (
        <GroupChoice key={group.name} {...props} group={group} />
      ))}
    </div>
  );
}

function GroupChoice({ group, chosen, onChange, note }: PermissionChoiceProps & { group: PermissionGroup }) {
  const here = group.permissions.filter((it) => chosen.has(it)).length;
  const set = (permissions: readonly Permission[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const permission of permissions) {
      if (isOn) next.add(permission);
      else next.delete(permission);
    }
    onChange(next);
  };
  return (
    <fieldset className={styles['choices']}>
      <legend className="visually-hidden">{group.name}</legend>
      <Checkbox
        isSelected={here === group.permissions.length}
        isIndeterminate={here > 0 && here < group.permissions.length}
        onChange={(isOn) => set(group.permissions, isOn)}
        aria-label={t.access.role.wholeGroup(group.name)}
      >
        <b>{group.name}</b>
      </Checkbox>
      {group.permissions.map((permission) => {
        const text = note?.(permission) ?? null;
        return (
          <Checkbox
            key={permission}
            isSelected={chosen.has(permission)}
            onChange={(isOn) => set([permission], isOn)}
          >
            {permissionWords(permission)}
            {text !== null && <span className={styles['reason']}>{text}</span>}
          </Checkbox>
        );
      })}
    </fieldset>
  );
}
