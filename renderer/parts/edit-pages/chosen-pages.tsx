import { useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NAME_LENGTH, titleOf } from '../draft-files.ts';
import styles from './edit-pages.module.css';
import type { EditableFiles } from './page-order.ts';
import { type ChosenPages, countChosen, splitFiles, splitOff } from './split-files.ts';

interface ChosenPagesProps extends EditableFiles {
  /** Pages of each file without changes. */
  readonly counts: readonly number[];
  readonly chosen: ChosenPages;
  /** Called when the chosen pages are elsewhere; `hasNewFiles` when the list of documents is another. */
  readonly onDone: (hasNewFiles: boolean) => void;
}

/** Sends the chosen pages in a fax of their own, or makes them a document that can be moved among the others. */
export function ChosenPagesBar({ files, onFiles, onSeparate, counts, chosen, onDone }: ChosenPagesProps) {
  const words = t.send.edit;
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const count = countChosen(files, counts, chosen);
  if (count.chosen === 0)
    return <p className={styles['hint']}>{onSeparate === null ? words.chooseHintSplit : words.chooseHint}</p>;
  const pages = words.chosen(formatCount(count.chosen), count.chosen === 1);
  /** Files that are refused are not among `files` and stay where they are. */
  const replace = (next: typeof files) =>
    onFiles((now) => [...next, ...now.filter(({ id }) => !files.some((file) => file.id === id))]);
  const separate = async (save: NonNullable<typeof onSeparate>) => {
    const { taken, rest } = splitFiles(files, counts, chosen);
    const [first] = taken;
    if (!first) return;
    const name = words.separateName(titleOf(first), pages).slice(0, NAME_LENGTH);
    setSaving(true);
    setFailure(null);
    try {
      // The pages are in the other draft before they leave this one.
      await save(taken, name);
      replace(rest);
      announce(words.didSeparate(pages, name));
      onDone(rest.length !== files.length);
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setSaving(false);
    }
  };
  const split = () => {
    const next = splitOff(files, counts, chosen);
    replace(next);
    announce(words.didSplit(pages));
    onDone(next.length !== files.length);
  };
  const isEverything = count.chosen === count.all;
  const canSplit = splitOff(files, counts, chosen).length > files.length;
  return (
    <div className={styles['chosen']}>
      {failure !== null && (
        <Notice tone="danger" isLive>
          {t.send.drafts.failed(failure)}
        </Notice>
      )}
      <span>{pages}</span>
      {onSeparate !== null && (
        <Button isDisabled={isEverything} isPending={isSaving} onPress={() => void separate(onSeparate)}>
          {words.separate}
        </Button>
      )}
      <Button isDisabled={!canSplit || isSaving} onPress={split}>
        {words.split}
      </Button>
      {isEverything && onSeparate !== null && <span className={styles['hint']}>{words.onePageStays}</span>}
    </div>
  );
}
