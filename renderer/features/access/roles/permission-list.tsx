import { t } from '../../../texts/access.ts';
import { Icon } from '../../../ui/icon.tsx';
import { permissionWords, usePermissionGroups } from '../lists/permission-words.ts';
import styles from './roles.module.css';

/** Permissions by group, with a line of explanation under those that need one. */
export function PermissionList(props: {
  permissions: readonly string[];
  /** Returns why a permission has no effect; null when it has one. */
  why?: (permission: string) => string | null;
}) {
  const groups = usePermissionGroups();
  const { permissions, why = () => null } = props;
  const known = new Set<string>(groups.flatMap((group) => group.permissions));
  const other = permissions.filter((permission) => !known.has(permission));
  const shown = [
    ...groups.map((group) => ({
      name: group.name,
      permissions: group.permissions.filter((permission) => permissions.includes(permission)) as string[],
    })),
    { name: t.access.role.other, permissions: groups.length === 0 ? [] : other },
  ].filter((group) => group.permissions.length > 0);
  if (permissions.length === 0) return <p className={styles['quiet']}>{t.access.role.allowsNothing}</p>;
  return shown.map((group) => (
    <div key={group.name} className={styles['allowed']}>
      <h4>{group.name}</h4>
      <ul>
        {group.permissions.map((permission) => {
          const reason = why(permission);
          return (
            <li key={permission} data-off={reason !== null || undefined}>
              <Icon name={reason === null ? 'check' : 'close'} size={16} />
              <span>
                {permissionWords(permission)}
                {reason !== null && <span className={styles['reason']}>{reason}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  ));
}
