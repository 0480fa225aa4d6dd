import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { DIRECT_BACKEND, INTERNAL_BACKEND } from '../../../../shared/backends.ts';
import { loadPart } from '../../../api/load-part.ts';
import { faxHistoryQuery, faxQuery, useSeenMark } from '../../../api/outbound.ts';
import { usePermission } from '../../../api/queries.ts';
import { isStatus, sentenceOf } from '../../../api/sentence.ts';
import { ConfirmationQuestion } from '../../../parts/confirmation/confirmation-question.tsx';
import { type Fax, faxState } from '../../../parts/fax-state.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { useProviderName } from '../../../parts/provider-name.ts';
import { ScheduledFax } from '../../../parts/schedule/scheduled-fax.tsx';
import { useScreenTitle } from '../../../parts/window-title.ts';
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

/** With the words of Sent, which a fax under way does not need. */
const ReportButtons = lazy(async () => ({
  default: (await loadPart(() => import('../../../parts/report/report-buttons.tsx'))).ReportButtons,
}));

/** Shows a submitted fax live. */
export function SendingScreen() {
  const { faxId } = useParams({ from: '/framed/send/$faxId' });
  useScreenTitle(t.shell.send);
  const fax = useQuery(faxQuery(faxId));
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

/** The contact and the number, which several contacts may look like. */
function recipientName({ contact, to }: Fax, phone: (number: string) => string): string {
  return contact === null ? phone(to) : `${contact.name}, ${phone(to)}`;
}

const NO_EVENTS: readonly HistoryEvent[] = [];

/** Without a call it is not the captured provider that has the fax. */
function backendOf(fax: Fax): string {
  if (fax.internal) return INTERNAL_BACKEND;
  return fax.direct ? DIRECT_BACKEND : fax.backend;
}

function LiveFax({ fax }: { fax: Fax }) {
  const phone = usePhoneFormat();
  const title = t.send.faxTo(recipientName(fax, phone));
  const [stale, setStale] = useState<string | null>(null);
  const [isAnswered, setAnswered] = useState(false);
  const asked = useQuery(faxHistoryQuery(fax.id));
  const history = asked.data?.events ?? NO_EVENTS;
  const provider = useProviderName()(backendOf(fax));
  useStateWords(fax);
  useSeenMark(fax);
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
                  {fax.test && <Notice tone="plain">{t.fax.testSentence}</Notice>}
                  <Warning fax={fax} />
                  <ConfirmationQuestion
                    fax={fax}
                    level={2}
                    onAnswered={() => {
                      setStale(null);
                      setAnswered(true);
                    }}
                    onStale={setStale}
                  />
                </>
              ) : (
                <Status fax={fax} history={history} provider={provider} isAnswered={isAnswered} />
              )}
              {!asked.data && <LoadProblem of={asked} title={t.send.historyBroke} />}
              <StepList steps={stepsOf(fax, history, provider)} pages={pageOutcomes(fax)} />
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

const ENDED: readonly string[] = ['success', 'failed', 'cancelled'];

function Status({
  fax,
  history,
  provider,
  isAnswered,
}: {
  fax: Fax;
  history: readonly HistoryEvent[];
  provider: string;
  /** True right after the person recorded the outcome; the focus moves to the next action. */
  isAnswered: boolean;
}) {
  const mayOpen = usePermission('fax:document');
  const { title, sentence } = liveWords(fax, history, provider);
  return (
    <div className={styles['status']}>
      <p className={styles['title']} data-tone={faxState(fax).tone}>
        {title}
      </p>
      <p className={styles['sentence']}>{sentence}</p>
      <Warning fax={fax} />
      <ScheduledFax fax={fax} />
      <FaxCommands fax={fax} isFocused={isAnswered && fax.delivery_state === 'failed'} />
      {mayOpen && ENDED.includes(fax.delivery_state) && (
        <Suspense>
          <div className={styles['commands']}>
            <ReportButtons faxId={fax.id} />
          </div>
        </Suspense>
      )}
    </div>
  );
}

/** Before anything that can be done: a fax may have arrived already. */
function Warning({ fax: { arrival_warning: warning } }: { fax: Fax }) {
  return warning === null ? null : <Notice tone="warn">{warning}</Notice>;
}

/** Tells readers each new state. */
function useStateWords(fax: Fax): void {
  const { word } = faxState(fax);
  useEffect(() => announce(t.send.said(word)), [word]);
}
