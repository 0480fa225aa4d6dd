import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { loginFor } from '../../../parts/sign-in/login-name.ts';
import { showPassword } from '../../../parts/sign-in/shown-password.ts';
import { t } from '../../../texts/access.ts';
import { TextField } from '../../../ui/field.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import { createPrincipal, type PrincipalToCreate } from './create-principal.ts';
import { FirstAccessFields, useFirstAccess } from './first-access-fields.tsx';
import type { ManagedKind, Principal } from './people-queries.ts';
import { loginProblem, nameProblem } from './person-fields.ts';

const words = t.access.person;

/** Dialog for a new principal: its name and, for a person, the sign-in name, role, mailbox and group. */
export function NewPrincipal(props: {
  kind: ManagedKind;
  policyVersion: number;
  /** Id of the administrator. */
  meId: string;
  onClose: () => void;
  onDone: (made: Principal) => void;
}) {
  const { kind, policyVersion, meId, onClose, onDone } = props;
  const [name, setName] = useState('');
  /** Null while it follows the name. */
  const [ownLogin, setLogin] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const first = useFirstAccess();
  const isPerson = kind === 'user';
  const login = (ownLogin ?? loginFor(name)).trim();
  const wrong = { name: nameProblem(name), login: isPerson ? loginProblem(login) : null };
  const create = useChange(
    async (typed: PrincipalToCreate) => {
      const { user, password, refused } = await createPrincipal(kind, typed, policyVersion);
      // At once: nobody can be shown it again, and the window may lock before the lists are read.
      if (password !== null) showPassword({ issuerId: meId, person: user, text: password, refused });
      return user;
    },
    (user) => onDone(user),
  );
  const submit = () => {
    setChecked(true);
    if (wrong.name === null && wrong.login === null)
      create.run({ name: name.trim(), login, ...first.chosen });
  };
  return (
    <ChangeDialog
      title={words.newTitle[kind]}
      submit={words.create[kind]}
      onSubmit={submit}
      onClose={onClose}
      change={create}
    >
      <p>{words.newSentence[kind]}</p>
      <TextField
        label={words.name}
        help={words.nameHelp[kind]}
        autoFocus
        autoComplete="off"
        maxLength={LIMITS.displayNameLength}
        value={name}
        onChange={setName}
        error={isChecked ? wrong.name : null}
      />
      {isPerson && (
        <TextField
          label={words.login}
          help={words.loginHelp}
          autoComplete="off"
          spellCheck="false"
          maxLength={LIMITS.loginLength}
          value={login}
          onChange={setLogin}
          error={isChecked ? wrong.login : null}
        />
      )}
      {isPerson && <FirstAccessFields form={first} name={name} />}
    </ChangeDialog>
  );
}
