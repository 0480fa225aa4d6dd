import { sentenceOf } from '../../api/sentence.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Shows why a form was not saved. When another person saved meanwhile, a button loads their version. */
export function FormProblem(props: {
  /** Error of the last attempt; nothing is shown without one. */
  error: unknown;
  isStale: boolean;
  /** Shown in place of the sentence of the answer. */
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
