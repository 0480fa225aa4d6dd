import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { keyName } from './key-columns.tsx';
import type { KeyChangeProps, NewToken } from './key-queries.ts';

const words = t.access.key;

const refOf = ({ accessKey, policyVersion }: KeyChangeProps) => ({
  params: { key_id: accessKey.key_id },
  body: { version: accessKey.version, expected_policy_version: policyVersion },
});

/** A new secret for the same key; the old one is over at once. */
export function RotateQuestion(props: KeyChangeProps & { onToken: (made: NewToken) => void }) {
  const { accessKey, onClose, onToken } = props;
  const rotating = useChange(
    () => access.keys.rotateAccessKey(refOf(props)),
    ({ key, token }) => onToken({ keyId: key.key_id, token }),
  );
  return (
    <Question
      title={words.rotateTitle(keyName(accessKey))}
      sentence={words.rotateSentence}
      yes={words.rotateYes}
      change={rotating}
      onYes={() => rotating.run(undefined)}
      onNo={onClose}
    />
  );
}

export function RevokeQuestion(props: KeyChangeProps & { onMoved: (ownerId: string) => void }) {
  const { accessKey, onClose, onMoved } = props;
  const revoking = useChange(
    () => access.keys.revokeAccessKey(refOf(props)),
    () => {
      announce(words.saidRevoked);
      onClose();
      onMoved(accessKey.principal.id);
    },
  );
  return (
    <Question
      title={words.revokeTitle(keyName(accessKey))}
      sentence={words.revokeSentence}
      yes={words.revokeYes}
      no={words.keep}
      change={revoking}
      onYes={() => revoking.run(undefined)}
      onNo={onClose}
    />
  );
}
