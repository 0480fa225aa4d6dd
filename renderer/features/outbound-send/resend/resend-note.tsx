import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { faxQuery } from '../../../api/outbound.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/index.ts';
import { formatWhen } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { type Draft, resendOf } from '../draft/draft.ts';
import type { ResendProblem } from './earlier-fax.ts';

interface ResendNoteProps {
  readonly draft: Draft;
  /** The number in the draft, E.164; null while it is none. */
  readonly number: string | null;
  /** The part that could not be filled in; null when nothing is missing. */
  readonly problem: ResendProblem | null;
}

/** Says that the draft is a fax that was sent before, and what became of it. */
export function ResendNote({ draft, number, problem }: ResendNoteProps) {
  const id = resendOf(draft);
  if (problem !== null)
    return (
      <Notice tone="warn" title={problem.title} isLive>
        {problem.sentence}
      </Notice>
    );
  return id === null ? null : <Earlier id={id} number={number} />;
}

function Earlier({ id, number }: { id: string; number: string | null }) {
  const { data: fax } = useQuery(faxQuery(id));
  if (!fax) return null;
  const isAgain = fax.delivery_state === 'success' && (number === null || number === fax.to);
  return (
    <Notice
      tone={isAgain ? 'warn' : 'plain'}
      title={titleOf(fax)}
      isLive
      action={
        <Link to="/sent/{-$sentId}" params={{ sentId: id }}>
          {t.send.facts.openFirst}
        </Link>
      }
    >
      {isAgain ? t.send.resend.twice : t.send.resend.onlyWhen}
    </Notice>
  );
}

function titleOf({ delivery_state, attempt, updated_at }: Fax): string {
  const when = formatWhen(attempt?.completed_at ?? updated_at);
  const words = t.send.resend;
  if (delivery_state === 'success') return words.delivered(when);
  return delivery_state === 'cancelled' ? words.canceled(when) : words.failed(when);
}
