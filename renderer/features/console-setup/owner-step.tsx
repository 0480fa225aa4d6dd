import { useState } from 'react';
import { useMe } from '../../api/queries.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { Fold } from '../../ui/fold.tsx';
import { Notice } from '../../ui/notice.tsx';
import { readInterruptedEnrollment, signOut, type UnclaimedOwner } from './enroll-owner.ts';
import { NewOwner } from './new-owner.tsx';
import { OwnerPassword } from './owner-password.tsx';
import { StepPage, useGoTo } from './step-page.tsx';

const words = t.setup.owner;

/**
 * The first step. It may be interrupted between enrolling the owner and choosing the password. Then only the password
 * is requested; when this window has lost the temporary password, the installation key enrolls the same owner again.
 */
export function OwnerStep() {
  const me = useMe();
  const [unclaimed, setUnclaimed] = useState<UnclaimedOwner | null>(readInterruptedEnrollment);
  // The form stays until it went through, also when the answer about an owner who was enrolled is lost.
  const [isEnrolling, setEnrolling] = useState(me?.can_enroll_owner === true);
  const isSettled = me?.principal.kind === 'user' && !me.password_change_required;
  if (unclaimed && !isSettled) return <OwnerPassword unclaimed={unclaimed} />;
  if (me?.password_change_required) return <PasswordLost />;
  if (isEnrolling && !isSettled)
    return <NewOwner isAgain={!me?.can_enroll_owner} onUnclaimed={setUnclaimed} />;
  return <OwnerThere onAgain={() => setEnrolling(true)} />;
}

function OwnerThere({ onAgain }: { onAgain: () => void }) {
  const me = useMe();
  const goTo = useGoTo();
  const sentence = me?.is_owner ? words.doneSelf(me.principal.display_name) : words.doneOther;
  return (
    <StepPage
      step="owner"
      title={words.doneTitle}
      sentence={sentence}
      isNeeded
      submit={t.setup.next}
      onSubmit={() => goTo('provider')}
    >
      {me?.principal.kind === 'bootstrap' && (
        <Fold level={2} title={words.retryTitle} summary="">
          <p>{words.retrySentence}</p>
          <Button onPress={onAgain}>{words.retryAction}</Button>
        </Fold>
      )}
    </StepPage>
  );
}

function PasswordLost() {
  return (
    <StepPage step="owner" title={words.lostTitle} sentence={words.lostSentence} isNeeded>
      <Notice tone="plain" action={<Button onPress={() => void signOut()}>{words.signOut}</Button>}>
        {words.kept}
      </Notice>
    </StepPage>
  );
}
