import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import { ListOpening } from '../../../parts/lists/list-state.tsx';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { AccessList } from '../lists/access-list.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { OnOff } from '../lists/on-off.tsx';
import { openDetails } from '../lists/open-details.tsx';
import { PartPanes } from '../lists/part-panes.tsx';
import { type Role, useRoles } from '../lists/short-lists.ts';
import type { PartProps } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
import { RoleDetails } from './role-details.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { RoleMatrix } from './role-matrix.tsx';
import styles from './roles.module.css';

const words = t.access.role;

/** Every role as a list, or side by side with every permission. */
export function RolesPart({ id }: PartProps) {
  const roles = useRoles();
  const show = useOpenDetails('roles');
  const mayChange = usePermission('roles:manage');
  const [isMatrix, setMatrix] = useState(false);
  const [isNew, setNew] = useState(false);
  const onClose = () => show(undefined);
  return (
    <PartPanes
      title={t.access.roles}
      count={roles.isOpening ? '' : formatCount(roles.items.length)}
      actions={
        <>
          <Button icon={isMatrix ? 'back' : 'thumbs'} onPress={() => setMatrix(!isMatrix)}>
            {isMatrix ? words.asList : words.compare}
          </Button>
          {mayChange && <NewButton part={t.access.roles} label={words.new} onPress={() => setNew(true)} />}
        </>
      }
      details={openDetails({ id, pages: roles, label: words.details, onClose }, (role) => (
        <RoleDetails key={role.id} role={role} policyVersion={roles.policyVersion} onClose={onClose} />
      ))}
    >
      {isMatrix ? (
        roles.isOpening ? (
          <ListOpening error={roles.error} retry={roles.retry} />
        ) : (
          <RoleMatrix roles={roles.items} openId={id} />
        )
      ) : (
        <AccessList
          label={t.access.roles}
          list={roles}
          columns={COLUMNS}
          rowClassName={styles['cells']}
          openId={id}
          onShow={show}
          empty={null}
        />
      )}
      {isNew && (
        <RoleDialog
          policyVersion={roles.policyVersion}
          onClose={() => setNew(false)}
          onDone={(role) => {
            setNew(false);
            show(role.id);
          }}
        />
      )}
    </PartPanes>
  );
}

const COLUMNS: readonly Column<Role>[] = [
  { id: 'name', head: words.name, cell: (role) => <span className={styles['name']}>{role.name}</span> },
  {
    id: 'kind',
    head: words.kind,
    isQuiet: true,
    room: 'medium',
    cell: (role) => (role.built_in ? words.builtIn : words.own),
  },
  {
    id: 'permissions',
    head: words.allows,
    isQuiet: true,
    room: 'wide',
    cell: (role) => words.count(formatCount(role.permissions.length), role.permissions.length === 1),
  },
  {
    id: 'factor',
    head: words.factor,
    isQuiet: true,
    room: 'wide',
    cell: (role) => (role.requires_two_factor ? words.required : words.notRequired),
  },
  { id: 'state', head: words.state, cell: (role) => <OnOff isOn={role.enabled} /> },
];
