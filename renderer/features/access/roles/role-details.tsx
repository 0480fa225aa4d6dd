import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { ChangeProblem } from '../changes/change-problem.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { Details, DetailsLine, DetailsSection, DetailsTop } from '../details/details.tsx';
import { OnOff, OnOffButton } from '../lists/on-off.tsx';
import type { Role } from '../lists/short-lists.ts';
import { PermissionList } from './permission-list.tsx';
import { RoleDialog } from './role-dialog.tsx';

const words = t.access.role;

interface RoleDetailsProps {
  readonly role: Role;
  readonly policyVersion: number;
  readonly onClose: () => void;
}

/** Shows the permissions and the people of a role, and the actions for custom roles. */
export function RoleDetails({ role, policyVersion, onClose }: RoleDetailsProps) {
  const mayChange = usePermission('roles:manage');
  const [isEditing, setEditing] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const closeDialog = () => setEditing(false);
  const enabling = useEnabling(role, policyVersion, () => setConfirming(false));
  return (
    <Details
      label={words.details}
      title={role.name}
      facts={
        <>
          <OnOff isOn={role.enabled} />
          <span>{role.built_in ? words.builtIn : words.own}</span>
        </>
      }
      close={t.access.rows.close}
      onClose={onClose}
    >
      <DetailsTop>
        {mayChange && !role.built_in && (
          <DetailsLine>
            <Button onPress={() => setEditing(true)}>{words.edit}</Button>
            <OnOffButton
              isOn={role.enabled}
              isPending={enabling.isPending}
              onAsk={() => setConfirming(true)}
              onEnable={() => enabling.run(true)}
            />
          </DetailsLine>
        )}
        {role.description !== '' && <p>{role.description}</p>}
        {role.built_in && <Notice tone="plain">{words.builtInSentence}</Notice>}
        {isConfirming ? (
          <Question
            title={words.disableTitle(role.name)}
            sentence={words.disableSentence}
            yes={words.disableYes}
            change={enabling}
            onYes={() => enabling.run(false)}
            onNo={() => setConfirming(false)}
          />
        ) : (
          <ChangeProblem change={enabling} />
        )}
        <SecondFactorSwitch role={role} policyVersion={policyVersion} mayChange={mayChange} />
        <RoleHoldersLink role={role} />
      </DetailsTop>
      <DetailsSection title={words.allows}>
        <PermissionList permissions={role.permissions} />
      </DetailsSection>
      {isEditing && (
        <RoleDialog role={role} policyVersion={policyVersion} onClose={closeDialog} onDone={closeDialog} />
      )}
    </Details>
  );
}

function RoleHoldersLink({ role }: { role: Role }) {
  if (!usePermission('grants:read')) return null;
  return (
    <Link
      to="/access/{-$part}/{-$id}"
      params={{ part: 'assignments', id: undefined }}
      search={{ role: role.id }}
    >
      {words.whoHas}
    </Link>
  );
}

/** Enables or disables the role. */
function useEnabling(role: Role, policyVersion: number, onDone: () => void) {
  return useChange(
    (enabled: boolean) =>
      access.roles.changeRole({
        params: { id: role.id },
        body: { enabled, version: role.version, expected_policy_version: policyVersion },
      }),
    ({ role: changed }) => {
      announce(changed.enabled ? words.saidEnabled : words.saidDisabled);
      onDone();
    },
  );
}

/** Switch that requires a second factor. It is saved at once, and is all that can be changed in a built-in role. */
function SecondFactorSwitch(props: { role: Role; policyVersion: number; mayChange: boolean }) {
  const { role, policyVersion, mayChange } = props;
  const change = useChange((required: boolean) =>
    access.roles.changeRole({
      params: { id: role.id },
      body: {
        requires_two_factor: required,
        version: role.version,
        expected_policy_version: policyVersion,
      },
    }),
  );
  return (
    <>
      <Switch
        isSelected={role.requires_two_factor}
        isDisabled={!mayChange || change.isPending}
        onChange={change.run}
      >
        {words.factorSwitch}
      </Switch>
      {role.requires_two_factor && <p>{words.factorSentence}</p>}
      <ChangeProblem change={change} />
    </>
  );
}
