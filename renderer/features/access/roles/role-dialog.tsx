import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Permission } from '../../../../shared/permissions.ts';
import { access } from '../../../api/access.ts';
import { useMe } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import type { Role } from '../lists/short-lists.ts';
import { PermissionChoice } from './permission-choice.tsx';
import styles from './roles.module.css';

const words = t.access.role;

/** A new role, or another content of one. */
export function RoleDialog(props: {
  role?: Role;
  policyVersion: number;
  onClose: () => void;
  onDone: (role: Role) => void;
}) {
  const { role, policyVersion, onClose, onDone } = props;
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [isFactorRequired, setFactorRequired] = useState(role?.requires_two_factor ?? false);
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set(role?.permissions));
  const change = useRoleChange(props, (changed) => {
    announce(role ? words.saidChanged : words.saidCreated);
    onDone(changed);
  });
  const save = () =>
    change.run({
      name: name.trim(),
      description: description.trim(),
      permissions: [...chosen],
      requires_two_factor: isFactorRequired,
      expected_policy_version: policyVersion,
    });
  return (
    <ChangeDialog
      title={role ? words.editTitle(role.name) : words.newTitle}
      submit={role ? words.save : words.create}
      width="wide"
      change={change}
      missing={name.trim() === '' ? t.access.change.missing.name : null}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={name}
        maxLength={LIMITS.displayNameLength}
        autoFocus
        autoComplete="off"
        onChange={setName}
      />
      <TextArea
        label={words.description}
        value={description}
        maxLength={LIMITS.noteLength}
        rows={2}
        onChange={setDescription}
      />
      <Checkbox isSelected={isFactorRequired} onChange={setFactorRequired}>
        {words.factorSwitch}
      </Checkbox>
      <Permissions role={role} chosen={chosen} onChange={setChosen} />
    </ChangeDialog>
  );
}

/** Choice of the role's permissions. Marks those the person does not hold. */
function Permissions(props: {
  role: Role | undefined;
  chosen: ReadonlySet<Permission>;
  onChange: (chosen: ReadonlySet<Permission>) => void;
}) {
  const { role, chosen, onChange } = props;
  const grantable = useMe()?.grantable.installation ?? [];
  const isTheirs = (permission: Permission) =>
    grantable.includes(permission) || role?.permissions.includes(permission);
  return (
    <>
      <div>
        <h3 className={styles['heading']}>{words.allows}</h3>
        <p className={styles['quiet']}>{words.onlyOwn}</p>
      </div>
      <PermissionChoice
        label={words.allows}
        chosen={chosen}
        onChange={onChange}
        note={(permission) => (isTheirs(permission) ? null : words.notYours)}
      />
    </>
  );
}

interface RoleContent {
  readonly name: string;
  readonly description: string;
  readonly permissions: Permission[];
  readonly requires_two_factor: boolean;
  readonly expected_policy_version: number;
}

function useRoleChange({ role }: { role?: Role }, onDone: (role: Role) => void) {
  return useChange(
    (content: RoleContent) =>
      role
        ? access.roles.changeRole({ params: { id: role.id }, body: { ...content, version: role.version } })
        : access.roles.createRole({ body: content }),
    ({ role: changed }) => onDone(changed),
  );
}
