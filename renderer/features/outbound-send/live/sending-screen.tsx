import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client } from '../../../api/client.ts';
import { isStatus, sentenceOf } from '../../../api/sentence.ts';
import { ConfirmationQuestion } from '../../../parts/confirmation/confirmation-question.tsx';
import { type Fax, faxState } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../../ui/pane.tsx';
import { FaxFacts } from './fax-facts.tsx';
import { type HistoryEvent, stepsOf } from './fax-steps.ts';
import { liveWords } from './live-words.ts';
import { pageOutcomes } from './page-outcome.ts';
import { FaxCommands, SendingFoot } from './sending-foot.tsx';
import styles from './sending-screen.module.css';
import { SentDocument } from './sent-document.tsx';
import { StepList } from './step-list.tsx';

/** What becomes of a fax that was sent, as it happens. */
export function SendingScreen() {
  const { faxId } = useParams({ from: '/framed/send/$faxId' });
  const fax = useQuery({
    queryKey: ['fax', faxId],
    queryFn: ({ signal }) => client.outbound.getFax({ params: { id: faxId }, signal }),
  });
  if (fax.data) return <LiveFax key={faxId} fax={fax.data} />;
  if (!fax.error) return null;
  const again = <Button onPress={() => void fax.refetch()}>{t.ui.tryAgain}</Button>;
  return (
    <EmptyState
      icon="alert"
      title={sentenceOf(fax.error)}
      {...(isStatus(fax.error, 404) ? {} : { action: again })}
    />
  );
}

function LiveFax({ fax }: { fax: Fax }) {
  const phone = usePhoneFormat();
  const title = t.send.faxTo(phone(fax.to));
  const [stale, setStale] = useState<string | null>(null);
  const history = useHistory(fax.id);
  useStateWords(fax);
  return (
    <>
      <Pane label={title} width="clamp(320px, 42.2%, 528px)">
        <div className={styles['live']}>
          <PaneHead title={title} level={1} />
          <PaneBody isPadded>
            <div className={styles['parts']}>
              {stale !== null && (
                <Notice tone="plain" icon="refresh" isLive>
                  {stale}
                </Notice>
              )}
              {fax.delivery_state === 'reconciliation_required' ? (
                <>
                  <h2 className="visually-hidden">{t.fax.confirmation.label}</h2>
                  <ConfirmationQuestion fax={fax} onAnswered={() => setStale(null)} onStale={setStale} />
                </>
              ) : (
                <Status fax={fax} history={history} />
              )}
              <StepList steps={stepsOf(fax, history)} pages={pageOutcomes(fax)} />
              <FaxFacts fax={fax} />
            </div>
          </PaneBody>
          <SendingFoot fax={fax} />
        </div>
      </Pane>
      <SentDocument fax={fax} />
    </>
  );
}

function Status({ fax, history }: { fax: Fax; history: readonly HistoryEvent[] }) {
  const { title, sentence } = liveWords(fax, history);
  return (
    <div className={styles['status']}>
      <p className={styles['title']} data-tone={faxState(fax).tone}>
        {title}
      </p>
      <p className={styles['sentence']}>{sentence}</p>
      <FaxCommands fax={fax} />
    </div>
  );
}

function useHistory(id: string): readonly HistoryEvent[] {
  const history = useQuery({
    queryKey: ['fax', id, 'history'],
    queryFn: ({ signal }) => client.outbound.faxHistory({ params: { id }, signal }),
  });
  return history.data?.events ?? [];
}

/** Tells readers each new state. */
function useStateWords(fax: Fax): void {
  const { word } = faxState(fax);
  useEffect(() => announce(t.send.said(word)), [word]);
}
