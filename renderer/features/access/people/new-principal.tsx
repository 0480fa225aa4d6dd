import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { access } from '../../../api/access.ts';
import { loginFor } from '../../../parts/sign-in/login-name.ts';
import { t } from '../../../texts/access.ts';
import { TextField } from '../../../ui/field.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import type { ManagedKind, Principal } from './people-queries.ts';
import { loginProblem, nameProblem } from './person-fields.ts';
import { TemporaryPassword } from './temporary-password.tsx';

const words = t.access.person;

interface Made {
  readonly user: Principal;
  /** Null for an integration. */
  readonly password: string | null;
}

interface Typed {
  readonly name: string;
  readonly login: string;
}

/** Dialog for the name of a new principal; shows the temporary password of a person once. */
export function NewPrincipal(props: {
  kind: ManagedKind;
  policyVersion: number;
  onClose: () => void;
  onDone: (made: Principal) => void;
}) {
  const { kind, policyVersion, onClose, onDone } = props;
  const [made, setMade] = useState<Made | null>(null);
  const create = useChange(
    (typed: Typed) => createPrincipal(kind, typed, policyVersion),
    (answer) => (answer.password === null ? onDone(answer.user) : setMade(answer)),
  );
  if (made?.password)
    return (
      <TemporaryPassword principal={made.user} password={made.password} onStored={() => onDone(made.user)} />
    );
  return <NewForm kind={kind} create={create} onClose={onClose} />;
}

function NewForm(props: {
  kind: ManagedKind;
  create: ReturnType<typeof useChange<Typed, Made>>;
  onClose: () => void;
}) {
  const { kind, create, onClose } = props;
  const [name, setName] = useState('');
  /** Null while it follows the name. */
  const [ownLogin, setLogin] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const isPerson = kind === 'user';
  const login = (ownLogin ?? loginFor(name)).trim();
  const wrong = { name: nameProblem(name), login: isPerson ? loginProblem(login) : null };
  const submit = () => {
    setChecked(true);
    if (wrong.name === null && wrong.login === null) create.run({ name: name.trim(), login });
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
    </ChangeDialog>
  );
}

async function createPrincipal(kind: ManagedKind, typed: Typed, policyVersion: number): Promise<Made> {
  const body = { display_name: typed.name, expected_policy_version: policyVersion };
  if (kind === 'integration') {
    const { user } = await access.people.createIntegration({ body });
    return { user, password: null };
  }
  const { user, temporary_password } = await access.people.createUser({
    body: { ...body, login: typed.login },
  });
  return { user, password: temporary_password };
}
