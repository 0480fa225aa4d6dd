import { useState } from 'react';
import { LIMITS } from '../../../../../shared/limits.ts';
import { t } from '../../../../texts/access.ts';
import { TextField } from '../../../../ui/field.tsx';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { useChange } from '../../changes/use-change.ts';
import { changePrincipal, kindOf, type PrincipalDetails } from '../people-queries.ts';
import { loginProblem, nameProblem } from '../person-fields.ts';

const words = t.access.person;

/** The name, and of a person the sign-in name. Only what was changed is sent. */
export function RenamePrincipal({ details, onClose }: { details: PrincipalDetails; onClose: () => void }) {
  const { user } = details;
  const kind = kindOf(user);
  const [title] = useState(words.renameTitle(user.display_name));
  const [typedName, setName] = useState<string | null>(null);
  const [typedLogin, setLogin] = useState<string | null>(null);
  const name = (typedName ?? user.display_name).trim();
  const login = (typedLogin ?? user.login ?? '').trim();
  const isNewName = name !== user.display_name;
  const isNewLogin = login !== (user.login ?? '');
  const change = useChange(
    () =>
      changePrincipal(details, {
        ...(isNewName && { display_name: name }),
        ...(isNewLogin && { login }),
      }),
    onClose,
  );
  const wrong = { name: nameProblem(name), login: kind === 'user' ? loginProblem(login) : null };
  return (
    <ChangeDialog
      title={title}
      submit={words.save}
      onSubmit={() => change.run(undefined)}
      onClose={onClose}
      change={change}
      missing={
        wrong.name ?? wrong.login ?? (isNewName || isNewLogin ? null : t.access.change.missing.nothing)
      }
    >
      <TextField
        label={words.name}
        autoFocus
        autoComplete="off"
        maxLength={LIMITS.displayNameLength}
        value={typedName ?? user.display_name}
        onChange={setName}
        error={wrong.name}
      />
      {kind === 'user' && (
        <TextField
          label={words.login}
          help={words.loginChange}
          autoComplete="off"
          spellCheck="false"
          maxLength={LIMITS.loginLength}
          value={typedLogin ?? user.login ?? ''}
          onChange={setLogin}
          error={wrong.login}
        />
      )}
    </ChangeDialog>
  );
}
