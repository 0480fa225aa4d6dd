import { Fragment, useState } from 'react';
import { createPortal } from 'react-dom';
import { access } from '../../../api/access.ts';
import { useInstallation } from '../../../api/queries.ts';
import { type ShownPassword, showPassword } from '../../../parts/sign-in/shown-password.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyRefused, useCopying } from '../../../ui/copying.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ChangeProblem } from '../changes/change-problem.tsx';
import { type Change, useChange } from '../changes/use-change.ts';
import { expectedVersions } from './people-queries.ts';
import styles from './temporary-password.module.css';

const words = t.access.person;
/** Host names that other computers cannot open. */
const IS_THIS_COMPUTER = /^(localhost|127\.|\[::1\])/u;

/** Dialog with a temporary password to hand over: to read aloud, copy or print. Only its button dismisses it. */
export function TemporaryPassword({ shown, onDone }: { shown: ShownPassword; onDone: () => void }) {
  const { person, text, refused } = shown;
  const another = useAnother(shown);
  return (
    <Dialog
      title={words.passwordTitle(person.display_name)}
      isOpen
      onClose={onDone}
      kind="answered"
      actions={
        <>
          <Button isPending={another.change.isPending} onPress={() => another.change.run(undefined)}>
            {words.another}
          </Button>
          <Button icon="print" onPress={() => window.print()}>
            {words.print}
          </Button>
          <Button variant="primary" onPress={onDone}>
            {words.passwordDone}
          </Button>
        </>
      }
    >
      <div className={styles['column']}>
        {person.login !== null && <p>{words.signsInAs(person.login)}</p>}
        <Words text={text} />
        <p>{words.passwordAloud}</p>
        <p>{words.passwordOnce}</p>
        {refused.length > 0 && (
          <Notice tone="warn" isLive title={words.refusedTitle}>
            {refused.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Notice>
        )}
        {another.isChosen && (
          <Notice tone="warn" isLive>
            {words.alreadyChosen(person.display_name)}
          </Notice>
        )}
        <ChangeProblem change={another.change} />
      </div>
      <Slip shown={shown} />
    </Dialog>
  );
}

/** The whole password, broken only between its words. */
function Words({ text }: { text: string }) {
  const copying = useCopying(text);
  return (
    <div className={styles['field']} role="group" aria-label={words.password}>
      <div className={styles['box']}>
        <code ref={copying.textRef} className={styles['words']}>
          {text.split(/(?<=-)/u).map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word may be there twice, and they never change places.
            <Fragment key={index}>
              <span className={styles['word']}>{word}</span>
              <wbr />
            </Fragment>
          ))}
        </code>
        <Button variant="plain" {...copying.button}>
          {copying.label}
        </Button>
      </div>
      <CopyRefused of={copying} />
    </div>
  );
}

/** Sheet of paper for the person: the only thing that is printed while the dialog is open. */
function Slip({ shown: { person, text } }: { shown: ShownPassword }) {
  const organization = useInstallation()?.organization ?? '';
  const { hostname } = window.location;
  return createPortal(
    <div className={styles['slip']}>
      <h1>{words.slipTitle(person.display_name)}</h1>
      <FactList wordWidth={160}>
        {organization !== '' && <Fact name={words.slipAt}>{organization}</Fact>}
        {!IS_THIS_COMPUTER.test(hostname) && (
          <Fact name={words.slipAddress}>{new URL('/admin/ui/', window.location.href).href}</Fact>
        )}
        {person.login !== null && <Fact name={words.login}>{person.login}</Fact>}
        <Fact name={words.password}>
          <strong>{text}</strong>
        </Fact>
      </FactList>
      <p>{words.slipSentence}</p>
    </div>,
    document.body,
  );
}

/**
 * Issues another password in place of the shown one. A person who has chosen their own by now keeps it: then
 * `isChosen` is true.
 */
function useAnother(shown: ShownPassword): { change: Change<undefined>; isChosen: boolean } {
  const [isChosen, setChosen] = useState(false);
  const change = useChange<undefined, void>(async () => {
    const details = await access.people.getUser({ params: { id: shown.person.id } });
    setChosen(!details.user.password_change_required);
    if (!details.user.password_change_required) return;
    const { temporary_password: text } = await access.people.resetPassword(expectedVersions(details));
    showPassword({ ...shown, text });
    announce(words.anotherMade);
  });
  return { change, isChosen };
}
