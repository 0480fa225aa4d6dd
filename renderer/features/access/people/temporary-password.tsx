import { t } from '../../../texts/access.ts';
import { ShownOnce } from '../changes/shown-once.tsx';
import type { Principal } from './people-queries.ts';

const words = t.access.person;

/** Shows the temporary password to hand over to the person. */
export function TemporaryPassword(props: {
  principal: Pick<Principal, 'display_name' | 'login'>;
  password: string;
  onStored: () => void;
}) {
  const { principal, password, onStored } = props;
  return (
    <ShownOnce
      title={words.passwordTitle(principal.display_name)}
      label={words.password}
      secret={password}
      sentence={words.passwordOnce}
      stored={words.passwordStored}
      onStored={onStored}
    >
      {principal.login !== null && <p>{words.signsInAs(principal.login)}</p>}
    </ShownOnce>
  );
}
