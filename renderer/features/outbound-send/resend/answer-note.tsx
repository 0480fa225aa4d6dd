import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { inboundQuery } from '../../../api/inbound.ts';
import { queryClient } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { type AnsweredFax, type Draft, withFiles } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import styles from './answer-note.module.css';
import { readPages } from './received-fax.ts';
import { TemplateButton } from './template-button.tsx';

interface AnswerNoteProps {
  readonly draft: Draft;
  readonly drafts: DraftStore;
  /** The number in the draft, E.164; null while it is none. */
  readonly number: string | null;
}

/** Says which received fax the draft answers; its pages can be attached or left out. */
export function AnswerNote({ draft, drafts, number }: AnswerNoteProps) {
  return draft.answers === null ? null : <Answered {...{ draft, drafts, number }} answered={draft.answers} />;
}

function Answered({ draft, drafts, number, answered }: AnswerNoteProps & { answered: AnsweredFax }) {
  const phone = usePhoneFormat();
  const pages = useReceivedPages(draft, drafts, answered);
  const words = t.send.answer;
  const { from } = answered;
  const isOther = from !== null && number !== null && number !== from;
  const title = words.title(from === null ? words.unknown : phone(from), formatWhen(answered.receivedAt));
  return (
    <Notice tone={isOther || from === null ? 'warn' : 'plain'} title={title}>
      <div className={styles['choices']}>
        {from === null && <span>{words.withheld}</span>}
        {isOther && <span>{words.otherNumber}</span>}
        {pages.problem !== null && <span>{pages.problem}</span>}
        <Checkbox isSelected={pages.isAttached} isDisabled={pages.isReading} onChange={pages.attach}>
          {words.attach}
        </Checkbox>
        <TemplateButton drafts={drafts} />
        <Link to="/inbox/{-$receivedId}" params={{ receivedId: answered.id }}>
          {words.open}
        </Link>
        <Button variant="link" onPress={() => drafts.change((now) => ({ ...now, answers: null }))}>
          {words.noAnswer}
        </Button>
      </div>
    </Notice>
  );
}

/** Attaches the received pages to the draft, or leaves them out. */
function useReceivedPages(draft: Draft, drafts: DraftStore, { id }: AnsweredFax) {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isAttached = draft.files.some(({ receivedAs }) => receivedAs === id);
  const add = async () => {
    setReading(true);
    setProblem(null);
    try {
      const { file, problem: refused } = await readPages(await queryClient.fetchQuery(inboundQuery(id)));
      setProblem(refused);
      if (file === null) return;
      drafts.change((now) => (now.answers?.id === id ? withFiles(now, [...now.files, file]) : now));
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setReading(false);
    }
  };
  const attach = (isWanted: boolean) => {
    if (isWanted) void add();
    else
      drafts.change((now) =>
        withFiles(
          now,
          now.files.filter(({ receivedAs }) => receivedAs !== id),
        ),
      );
  };
  return { isReading, problem, isAttached, attach };
}
