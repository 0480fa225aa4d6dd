import { sentenceOf } from '../../api/sentence.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Why a form was not saved. Where somebody else saved meanwhile, theirs is taken at a press. */
export function FormProblem(props: {
  /** What was answered; nothing is shown without it. */
  error: unknown;
  isStale: boolean;
  /** Said in place of what was answered. */
  sentence?: string | undefined;
  words: { readonly staleTitle: string; readonly staleSentence: string; readonly reload: string };
  reload: () => Promise<void>;
}) {
  const { error, isStale, sentence, words, reload } = props;
  if (error === null) return null;
  if (!isStale)
    return (
      <Notice tone="danger" isLive>
        {sentence ?? sentenceOf(error)}
      </Notice>
    );
  return (
    <Notice
      tone="warn"
      isLive
      title={words.staleTitle}
      action={<Button onPress={() => void reload()}>{words.reload}</Button>}
    >
      {words.staleSentence}
    </Notice>
  );
}
