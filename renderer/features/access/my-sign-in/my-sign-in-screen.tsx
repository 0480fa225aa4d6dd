import { useState } from 'react';
import { isOwnSession, type Me, meQuery, queryClient, useMe } from '../../../api/queries.ts';
import { ChangePasswordForm } from '../../../parts/sign-in/change-password-form.tsx';
import { useScreenTitle } from '../../../parts/window-title.ts';
import { t } from '../../../texts/access.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../../ui/pane.tsx';
import { MySessions } from './my-sessions.tsx';
import styles from './my-sign-in.module.css';
import { QuickSignIn } from './quick-sign-in.tsx';
import { SecondFactor } from './second-factor.tsx';

const words = t.access.mine;

/** Shows the signed-in person's ways to sign in, and their sessions. */
export function MySignInScreen() {
  const me = useMe();
  useScreenTitle(words.title);
  if (!me) return null;
  return (
    <Pane label={words.title}>
      <PaneHead level={1} title={words.title} count={me.principal.display_name} isForm />
      <PaneBody isPadded>
        <div className={styles['parts']}>
          <Password me={me} />
          {isOwnSession(me) && <QuickSignIn />}
          {isOwnSession(me) && <SecondFactor />}
          <MySessions meId={me.principal.id} />
        </div>
      </PaneBody>
    </Pane>
  );
}

function Password({ me }: { me: Me }) {
  const [isChanged, setChanged] = useState(false);
  const changed = async () => {
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: ['access'] });
    setChanged(true);
  };
  return (
    <section className={styles['part']} aria-label={words.password}>
      <h2 className={styles['title']}>{words.password}</h2>
      {!isOwnSession(me) ? (
        <p className={styles['quiet']}>{words.noPassword}</p>
      ) : (
        <>
          <p className={styles['quiet']}>{words.passwordSentence}</p>
          {isChanged && (
            <Notice tone="ok" isLive>
              {words.changed}
            </Notice>
          )}
          <ChangePasswordForm className={styles['form']} onChanged={changed} />
        </>
      )}
    </section>
  );
}
