import { Question as QuestionInPlace } from '../../../parts/forms/question.tsx';
import { t } from '../../../texts/access.ts';
import { ChangeProblem } from './change-problem.tsx';
import type { Change } from './use-change.ts';

/** Asks for confirmation in place before something is removed, with what went wrong. */
export function Question(props: {
  title: string;
  sentence: string;
  yes: string;
  no?: string;
  change: Pick<Change<never>, 'error' | 'isStale' | 'reload' | 'isPending'>;
  onYes: () => void;
  onNo: () => void;
}) {
  const { change, no = t.access.change.cancel, ...question } = props;
  const reason = change.isStale ? t.access.change.reloadFirst : null;
  return (
    <QuestionInPlace {...question} no={no} isPending={change.isPending} reason={reason}>
      <ChangeProblem change={change} />
    </QuestionInPlace>
  );
}
