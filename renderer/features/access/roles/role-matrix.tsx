import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '../../../texts/access.ts';
import { Icon } from '../../../ui/icon.tsx';
import { PaneBody } from '../../../ui/pane.tsx';
import { type PermissionGroup, permissionWords, usePermissionGroups } from '../lists/permission-words.ts';
import type { Role } from '../lists/short-lists.ts';
import styles from './roles.module.css';

const words = t.access.role;

/** Permissions as rows, roles as columns; the head of a column opens its role. */
export function RoleMatrix({ roles, openId }: { roles: readonly Role[]; openId: string | undefined }) {
  const groups = usePermissionGroups();
  const head = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // The column may stand beside what is in sight, more so with its details open.
    if (openId !== undefined)
      head.current?.querySelector('[data-open]')?.scrollIntoView({ block: 'nearest', inline: 'end' });
  }, [openId]);
  return (
    <PaneBody label={words.matrix}>
      <table className={styles['matrix']}>
        <caption className="visually-hidden">{words.matrix}</caption>
        <thead>
          <tr ref={head}>
            <th scope="col" className={styles['corner']}>
              {words.permission}
            </th>
            {roles.map((role) => (
              <th key={role.id} scope="col" data-open={role.id === openId || undefined}>
                <Link to="/access/{-$part}/{-$id}" params={{ part: 'roles', id: role.id }}>
                  {role.name}
                </Link>
                <span className={styles['kind']}>{role.built_in ? words.builtIn : words.own}</span>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <MatrixGroup key={group.name} group={group} roles={roles} openId={openId} />
        ))}
      </table>
    </PaneBody>
  );
}

function MatrixGroup(props: { group: PermissionGroup; roles: readonly Role[]; openId: string | undefined }) {
  const { group, roles, openId } = props;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={roles.length + 1} className={styles['group']}>
          <span>{group.name}</span>
        </th>
      </tr>
      {group.permissions.map((permission) => (
        <tr key={permission}>
          <th scope="row">{permissionWords(permission)}</th>
          {roles.map((role) => {
            const isAllowed = role.permissions.includes(permission);
            return (
              <td key={role.id} data-open={role.id === openId || undefined}>
                {isAllowed && <Icon name="check" size={16} />}
                <span className="visually-hidden">{isAllowed ? words.yes : words.no}</span>
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}
