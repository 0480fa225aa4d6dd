import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PrintedDocument, printedQuery } from '../../../api/printing.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatFully, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Draft } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import {
  addToDraft,
  discardPrinted,
  isForAnother,
  kindOf,
  nameOf,
  recipientOf,
} from './printed-documents.ts';
import styles from './printed-note.module.css';

interface PrintedNoteProps {
  readonly draft: Draft;
  readonly drafts: DraftStore;
}

/** Lists the printed documents that wait and are not in the draft. Nothing to do, nothing to show. */
export function PrintedNote({ draft, drafts }: PrintedNoteProps) {
  const inDraft = new Set(draft.files.map(({ printedAs }) => printedAs));
  const waiting = (useQuery(printedQuery).data ?? []).filter(({ id }) => !inDraft.has(id));
  const phone = usePhoneFormat();
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
      const refusal = await addToDraft(drafts, one, recipientOf(one, phone));
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
            to={recipientOf(one, phone)}
            isForAnother={isForAnother(one, draft)}
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
  /** Number that the program gave, as people read it; null for none. */
  readonly to: string | null;
  /** The fax on the form has another number. */
  readonly isForAnother: boolean;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
  readonly onDiscard: () => void;
}

/**
 * A printed document: to add to the fax, after the question whose it is and, for another number, a second one; or to discard after a
 * question.
 */
function PrintedRow({ printed, to, isForAnother, isBusy, onAdd, onDiscard }: PrintedRowProps) {
  const [asked, setAsked] = useState<'discard' | 'other number' | null>(null);
  const words = t.send.printed;
  const name = nameOf(printed);
  const { mine, pages, printed_at: printedAt, printed_by: printedBy } = printed;
  const keep = () => setAsked(null);
  if (asked === 'discard') {
    const answer = { word: words.discard, isBusy, onPress: onDiscard };
    return <Question sentence={words.question(name)} answer={answer} onKeep={keep} />;
  }
  if (asked === 'other number' && to !== null) {
    const answer = { word: words.addAnyway, isBusy, onPress: onAdd };
    return <Question sentence={words.otherNumber(name, to)} answer={answer} onKeep={keep} />;
  }
  return (
    <li className={styles['row']}>
      <span className={styles['words']}>
        <span>{name}</span>
        <span className={styles['quiet']} title={formatFully(printedAt)}>
          {words.facts(pages, kindOf(printed), formatWhen(printedAt), printedBy)}
          {to !== null && words.forNumber(to)}
          {!mine && `. ${words.isItYours}`}
        </span>
      </span>
      <Button
        isDisabled={isBusy}
        aria-label={mine ? words.addOne(name) : words.takeOne(name)}
        onPress={() => (isForAnother ? setAsked('other number') : onAdd())}
      >
        {mine ? words.add : words.take}
      </Button>
      <IconButton icon="close" label={words.discardOne(name)} onPress={() => setAsked('discard')} />
    </li>
  );
}

interface QuestionProps {
  readonly sentence: string;
  readonly answer: { readonly word: string; readonly isBusy: boolean; readonly onPress: () => void };
  readonly onKeep: () => void;
}

/** A question in place of the row; the answer that changes nothing has the focus. */
function Question({ sentence, answer, onKeep }: QuestionProps) {
  return (
    <li className={styles['row']}>
      <span className={styles['question']}>{sentence}</span>
      <Button isDisabled={answer.isBusy} onPress={answer.onPress}>
        {answer.word}
      </Button>
      <Button autoFocus onPress={onKeep}>
        {t.send.printed.keep}
      </Button>
    </li>
  );
}
