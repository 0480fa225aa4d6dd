import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../shared/limits.ts';
import { client } from '../../api/client.ts';
import { readAgain } from '../../api/newest.ts';
import { queryClient } from '../../api/queries.ts';
import type { WorkItem } from '../../api/work.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { useMinute } from '../../parts/use-minute.ts';
import { DueWord } from '../../parts/work/due-word.tsx';
import { senderWord } from '../../parts/work/use-work-actions.ts';
import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, type Option } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { WAITS } from '../../ui/focus/places.ts';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { MainButton } from '../../ui/main-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './hand-over.module.css';
import { type Takers, useHandOver, useTakers } from './use-hand-over.ts';

const words = t.work.handOver;

/** My open items, and who takes each: at closing time, one press for all. */
export function HandOver({ onClose }: { onClose: () => void }) {
  const mine = useQuery({
    queryKey: ['work-mine'],
    gcTime: 0,
    refetchOnMount: 'always',
    queryFn: ({ signal }) => {
      const query = { view: 'mine', state: 'open,acknowledged', limit: LIMITS.listLimit.most } as const;
      return client.work.listWork({ query, signal });
    },
  });
  const items = mine.data?.items ?? [];
  const takers = useTakers(items);
  const handing = useHandOver(onClose);
  const chosen = takers.eligible.flatMap((item) => {
    const to = takers.peopleFor(item).find(({ id }) => id === takers.of(item));
    return to ? [{ item, to }] : [];
  });
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      kind="form"
      width="wide"
      actions={
        items.length > 0 && (
          <>
            <MainButton
              reason={chosen.length === 0 ? words.none : null}
              isPending={handing.isPending}
              onPress={() => handing.mutate(chosen)}
            >
              {chosen.length === 0 ? words.open : words.run(formatCount(chosen.length), chosen.length === 1)}
            </MainButton>
          </>
        )
      }
    >
      {mine.data ? (
        <Items items={items} takers={takers} failed={handing.data?.failed ?? NONE} />
      ) : mine.error ? (
        <LoadProblem of={mine} title={words.broke} />
      ) : (
        <p {...WAITS}>{t.ui.loading}</p>
      )}
    </Dialog>
  );
}

const NONE: ReadonlyMap<string, string> = new Map();

function Items(props: { items: readonly WorkItem[]; takers: Takers; failed: ReadonlyMap<string, string> }) {
  const { items, takers, failed } = props;
  if (items.length === 0)
    return (
      <EmptyState icon="ok" title={words.empty}>
        {words.emptySentence}
      </EmptyState>
    );
  return (
    <div className={styles['form']}>
      <p>{words.sentence}</p>
      {takers.everybody.length > 0 && takers.eligible.length > 1 && (
        <Choice
          label={words.everything}
          options={optionsOf(takers.everybody)}
          value={null}
          placeholder={words.choose}
          onChange={(id) => takers.choose(takers.eligible, takerIn(id))}
        />
      )}
      <ul className={styles['items']}>
        {items.map((item) => (
          <HandOverRow key={item.id} item={item} takers={takers} problem={failed.get(item.id) ?? null} />
        ))}
      </ul>
      {failed.size > 0 && (
        <Notice
          tone="warn"
          isLive
          title={t.work.someFailed(formatCount(failed.size), formatCount(items.length))}
          action={
            <Button onPress={() => readAgain(queryClient, { queryKey: ['work-mine'] })}>
              {t.work.reload}
            </Button>
          }
        />
      )}
    </div>
  );
}

const KEEP = 'keep';

/** The people as choices, after the one of keeping it. */
const optionsOf = (people: readonly { id: string; name: string }[]): Option<string>[] => [
  { id: KEEP, label: words.keep },
  ...people.map(({ id, name }) => ({ id, label: name })),
];

/** Null for keeping it. */
const takerIn = (option: string): string | null => (option === KEEP ? null : option);

/** One of my items, and who takes it. */
function HandOverRow(props: { item: WorkItem; takers: Takers; problem: string | null }) {
  const { item, takers, problem } = props;
  const phone = usePhoneFormat();
  const now = useMinute();
  const sender = senderWord(item, phone);
  const isAble = takers.eligible.includes(item);
  return (
    <li className={styles['item']}>
      <span className={styles['what']}>
        <strong>{sender}</strong>
        <span className={styles['line']}>
          <DueWord item={item} now={now} /> {item.mailbox}
        </span>
        {problem !== null && <span className={styles['problem']}>{problem}</span>}
        {!isAble && <span className={styles['reason']}>{words.mayNot}</span>}
      </span>
      {isAble && (
        <Choice
          label={words.to(sender)}
          isLabelHidden
          options={optionsOf(takers.peopleFor(item))}
          value={takers.of(item) ?? KEEP}
          onChange={(id) => takers.choose([item], takerIn(id))}
        />
      )}
    </li>
  );
}
