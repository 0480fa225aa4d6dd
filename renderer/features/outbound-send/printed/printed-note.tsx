import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PrintedDocument, printedQuery } from '../../../api/printing.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Draft } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import { addToDraft, discardPrinted, kindOf, nameOf } from './printed-documents.ts';
import styles from './printed-note.module.css';

interface PrintedNoteProps {
  readonly draft: Draft;
  readonly drafts: DraftStore;
}

/** Lists the printed documents that wait and are not in the draft. Nothing to do, nothing to show. */
export function PrintedNote({ draft, drafts }: PrintedNoteProps) {
  const inDraft = new Set(draft.files.map(({ printedAs }) => printedAs));
  const waiting = (useQuery(printedQuery).data ?? []).filter(({ id }) => !inDraft.has(id));
  const [problem, setProblem] = useState<string | null>(null);
  const act = useMutation({
    mutationFn: (work: () => Promise<string | null>) => work(),
    networkMode: 'always',
    onMutate: () => setProblem(null),
    onSuccess: setProblem,
    onError: (error) => setProblem(sentenceOf(error)),
  });
  if (waiting.length === 0 && problem === null) return null;
  const kinds = new Set(waiting.map(kindOf));
  const words = t.send.printed;
  const add = (one: PrintedDocument) =>
    act.mutate(async () => {
      const refusal = await addToDraft(drafts, one);
      if (refusal === null) announce(words.added(nameOf(one)));
      return refusal;
    });
  const discard = (one: PrintedDocument) =>
    act.mutate(async () => {
      await discardPrinted(one);
      announce(words.discarded(nameOf(one)));
      return null;
    });
  return (
    <Notice
      tone="plain"
      title={words.title(waiting.length, kinds.size === 1 ? ([...kinds][0] ?? null) : null)}
      isLive
    >
      <p className={styles['quiet']}>{words.help}</p>
      {problem !== null && <p className={styles['problem']}>{problem}</p>}
      <ul className={styles['list']}>
        {waiting.map((one) => (
          <PrintedRow
            key={one.id}
            printed={one}
            isBusy={act.isPending}
            onAdd={() => add(one)}
            onDiscard={() => discard(one)}
          />
        ))}
      </ul>
    </Notice>
  );
}

interface PrintedRowProps {
  readonly printed: PrintedDocument;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
  readonly onDiscard: () => void;
}

/** A printed document: to add to the fax, after the question whose it is, or to discard after a second question. */
function PrintedRow({ printed, isBusy, onAdd, onDiscard }: PrintedRowProps) {
  const [isAsking, setAsking] = useState(false);
  const words = t.send.printed;
  const name = nameOf(printed);
  const { mine, pages, printed_at: printedAt, printed_by: printedBy } = printed;
  if (isAsking)
    return (
      <li className={styles['row']}>
        <span className={styles['words']}>{words.question(name)}</span>
        <Button isDisabled={isBusy} onPress={onDiscard}>
          {words.discard}
        </Button>
        <Button autoFocus onPress={() => setAsking(false)}>
          {words.keep}
        </Button>
      </li>
    );
  return (
    <li className={styles['row']}>
      <span className={styles['words']}>
        <span>{name}</span>
        <span className={styles['quiet']} title={formatFully(printedAt)}>
          {words.facts(pages, kindOf(printed), formatWhen(printedAt), printedBy)}
          {!mine && `. ${words.isItYours}`}
        </span>
      </span>
      <Button
        isDisabled={isBusy}
        aria-label={mine ? words.addOne(name) : words.takeOne(name)}
        onPress={onAdd}
      >
        {mine ? words.add : words.take}
      </Button>
      <IconButton icon="close" label={words.discardOne(name)} onPress={() => setAsking(true)} />
    </li>
  );
}
