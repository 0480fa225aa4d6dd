import { useMutation } from '@tanstack/react-query';
import type { PrintDecision } from '../../../shared/states/print-rules.ts';
import { type Printout, printoutsChanged, printRules } from '../../api/print-rules.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/printouts.ts';
import { Button } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './printout.module.css';

const words = t.printouts;

type Act = PrintDecision | 'now';

/** Buttons for a printout: decide about it, or print it. Nothing when neither applies. */
export function PrintoutActs({ printout }: { printout: Printout }) {
  const act = useAct(printout);
  return (
    <>
      <Offered printout={printout} act={act} />
      {act.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(act.error)}
        </Notice>
      )}
    </>
  );
}

function useAct({ id, version }: Pick<Printout, 'id' | 'version'>) {
  return useMutation({
    mutationFn: (act: Act) =>
      act === 'now'
        ? printRules.retryPrintout({ params: { id } })
        : printRules.confirmPrintout({ params: { id }, body: { outcome: act, version } }),
    onSuccess: (_answer, act) => announce(words.said[act]),
    // A refusal means that the printout has changed since it was shown.
    onSettled: printoutsChanged,
  });
}

function Offered({ printout, act }: { printout: Printout; act: ReturnType<typeof useAct> }) {
  const mayAct = usePermission('inbound:document');
  const { state, failures } = printout;
  if (state === 'doubtful')
    return (
      <Notice tone="warn" icon="question" title={words.question}>
        <p>{mayAct ? words.questionSentence : words.mayNotDecide}</p>
        {mayAct && <Acts acts={['printed', 'print_again']} act={act} />}
      </Notice>
    );
  if (state === 'failed')
    return mayAct ? (
      <Acts acts={['print_again', 'do_not_print']} act={act} />
    ) : (
      <p className={styles['quiet']}>{words.mayNotRetry}</p>
    );
  // One at whose printer nothing went wrong is printed at once anyway, or waits for its hours.
  if (state !== 'waiting' || !mayAct) return null;
  return <Acts acts={failures === 0 ? ['do_not_print'] : ['now', 'do_not_print']} act={act} />;
}

const LABELS: Readonly<Record<Act, string>> = {
  printed: words.printed,
  print_again: words.printAgain,
  do_not_print: words.doNotPrint,
  now: words.printNow,
};

function Acts({ acts, act }: { acts: readonly Act[]; act: ReturnType<typeof useAct> }) {
  return (
    <div className={styles['acts']}>
      {acts.map((each) => (
        <Button
          key={each}
          isPending={act.isPending && act.variables === each}
          isDisabled={act.isPending && act.variables !== each}
          onPress={() => act.mutate(each)}
        >
          {LABELS[each]}
        </Button>
      ))}
    </div>
  );
}
