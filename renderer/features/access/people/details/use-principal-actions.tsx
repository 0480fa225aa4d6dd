import { type ReactNode, useState } from 'react';
import { access } from '../../../../api/access.ts';
import { useMe, usePermission } from '../../../../api/queries.ts';
import { showPassword } from '../../../../parts/sign-in/shown-password.ts';
import { t } from '../../../../texts/access.ts';
import { Button } from '../../../../ui/button.tsx';
import { announce } from '../../../../ui/live-region.tsx';
import { Question } from '../../changes/question.tsx';
import { useChange } from '../../changes/use-change.ts';
import { changePrincipal, expectedVersions, kindOf, type PrincipalDetails } from '../people-queries.ts';
import { RenamePrincipal } from './rename-principal.tsx';

const words = t.access.person;

type QuestionKind = 'enabled' | 'password' | 'factor' | 'quick';

/**
 * Returns the actions for a person or integration: the buttons, and the question or dialog that they open. People
 * cannot lock themselves out from here: their own sign-in is under My sign-in.
 */
export function usePrincipalActions(details: PrincipalDetails, isMe: boolean) {
  const { user } = details;
  const mayChange = usePermission('users:manage');
  const [asked, ask] = useState<QuestionKind | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const meId = useMe()?.principal.id ?? '';
  const isPerson = kindOf(user) === 'user';
  const answer = () => ask(null);
  const buttons = mayChange && (
    <>
      <Button onPress={() => setRenaming(true)}>{words.rename}</Button>
      {isPerson && !isMe && <Button onPress={() => ask('password')}>{words.reset}</Button>}
      {isPerson && !isMe && user.two_factor && (
        <Button onPress={() => ask('factor')}>{words.removeFactor}</Button>
      )}
      {isPerson && !isMe && user.quick_sign_in && (
        <Button onPress={() => ask('quick')}>{words.removeQuick}</Button>
      )}
      {!isMe && (
        <Button onPress={() => ask('enabled')}>
          {user.enabled ? t.access.askDisable : t.access.askEnable}
        </Button>
      )}
    </>
  );
  const questions: Record<QuestionKind, ReactNode> = {
    enabled: <EnableQuestion details={details} onAnswered={answer} />,
    password: (
      <PasswordQuestion
        details={details}
        onNo={answer}
        onMade={(made) => {
          answer();
          showPassword({ issuerId: meId, person: user, text: made, refused: [] });
        }}
      />
    ),
    factor: <RemovalQuestion details={details} onAnswered={answer} of={FACTOR} />,
    quick: <RemovalQuestion details={details} onAnswered={answer} of={QUICK} />,
  };
  const dialog = isRenaming && <RenamePrincipal details={details} onClose={() => setRenaming(false)} />;
  return { buttons, question: asked === null ? null : questions[asked], dialog };
}

interface QuestionProps {
  readonly details: PrincipalDetails;
  readonly onAnswered: () => void;
}

/** Dialog that asks before a principal is disabled or enabled. */
function EnableQuestion({ details, onAnswered }: QuestionProps) {
  const { user } = details;
  const kind = kindOf(user);
  // Keeps the state at the time the question opened, while the response is already being shown.
  const [wasEnabled] = useState(user.enabled);
  const change = useChange(() => changePrincipal(details, { enabled: !wasEnabled }), onAnswered);
  return (
    <Question
      title={(wasEnabled ? words.disableTitle : words.enableTitle)(user.display_name)}
      sentence={(wasEnabled ? words.disableSentence : words.enableSentence)[kind]}
      yes={wasEnabled ? t.access.disable : t.access.enable}
      no={words.keep}
      change={change}
      onYes={() => change.run(undefined)}
      onNo={onAnswered}
    />
  );
}

function PasswordQuestion(props: {
  details: PrincipalDetails;
  onMade: (password: string) => void;
  onNo: () => void;
}) {
  const change = useChange(
    () => access.people.resetPassword(expectedVersions(props.details)),
    ({ temporary_password }) => props.onMade(temporary_password),
  );
  return (
    <Question
      title={words.resetTitle(props.details.user.display_name)}
      sentence={words.resetSentence}
      yes={words.resetYes}
      no={words.keep}
      change={change}
      onYes={() => change.run(undefined)}
      onNo={props.onNo}
    />
  );
}

/** Words for something that is removed, and the change that removes it. */
interface Removal {
  readonly remove: (expected: ReturnType<typeof expectedVersions>) => Promise<unknown>;
  readonly title: (name: string) => string;
  readonly sentence: string;
  readonly yes: string;
  readonly removed: (name: string) => string;
}

const FACTOR: Removal = {
  remove: (expected) => access.people.resetTwoFactor(expected),
  title: words.removeFactorTitle,
  sentence: words.removeFactorSentence,
  yes: words.removeFactorYes,
  removed: words.factorRemoved,
};
const QUICK: Removal = {
  remove: (expected) => access.people.resetQuickSignIn(expected),
  title: words.removeQuickTitle,
  sentence: words.removeQuickSentence,
  yes: words.removeQuickYes,
  removed: words.quickRemoved,
};

function RemovalQuestion({ details, onAnswered, of }: QuestionProps & { of: Removal }) {
  const { display_name } = details.user;
  const change = useChange(
    () => of.remove(expectedVersions(details)),
    () => {
      announce(of.removed(display_name));
      onAnswered();
    },
  );
  return (
    <Question
      title={of.title(display_name)}
      sentence={of.sentence}
      yes={of.yes}
      no={words.keep}
      change={change}
      onYes={() => change.run(undefined)}
      onNo={onAnswered}
    />
  );
}
