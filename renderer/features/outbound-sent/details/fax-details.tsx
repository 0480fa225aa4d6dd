import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  describeFax,
  faxHistoryQuery,
  faxQuery,
  refetchFax,
  storeFax,
  useSeenMark,
} from '../../../api/outbound.ts';
import { useMe, usePermission } from '../../../api/queries.ts';
import { AboutPart } from '../../../parts/about/about-part.tsx';
import { ConfirmationQuestion } from '../../../parts/confirmation/confirmation-question.tsx';
import { ContactOfNumber } from '../../../parts/contacts/contact-of-number.tsx';
import { type Fax, faxState } from '../../../parts/fax-state.ts';
import { HistoryPart } from '../../../parts/history-part.tsx';
import { FAX_HISTORY_SIGNS } from '../../../parts/history-signs.ts';
import { HoldMark } from '../../../parts/holds/hold-mark.tsx';
import { NoDetails } from '../../../parts/lists/no-details.tsx';
import { notSentReason } from '../../../parts/not-sent-reason.ts';
import { OpenedBy } from '../../../parts/opened-by/opened-by.tsx';
import { ScheduledFax } from '../../../parts/schedule/scheduled-fax.tsx';
import { useScrollKeys } from '../../../parts/use-scroll-keys.ts';
import { t } from '../../../texts/sent.ts';
import { IconButton } from '../../../ui/button.tsx';
import { formatCount, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { Mark } from '../../../ui/mark.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneBody } from '../../../ui/pane.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import { AttemptFacts } from './attempt-facts.tsx';
import { DocumentFacts } from './document-facts.tsx';
import { FaxActions } from './fax-actions.tsx';
import styles from './fax-details.module.css';
import { PageMarks } from './page-marks.tsx';
import { Report } from './report.tsx';

interface FaxDetailsProps {
  readonly id: string;
  /** The pages are shown beside the details. */
  readonly withPages: boolean;
  readonly onPages: () => void;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}

/** Everything about one sent fax, and what can be done with it. */
export function FaxDetails(props: FaxDetailsProps) {
  const fax = useQuery(faxQuery(props.id));
  return (
    <Pane as="aside" label={t.sent.details.label}>
      {fax.data ? (
        <Details {...props} fax={fax.data} />
      ) : (
        <NoDetails
          error={fax.error}
          words={t.sent.details}
          retry={() => void fax.refetch()}
          onClose={props.onClose}
        />
      )}
    </Pane>
  );
}

function Details(props: FaxDetailsProps & { fax: Fax }) {
  const { fax, withPages, onOpen } = props;
  const [stale, setStale] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const mayOpen = usePermission('fax:document');
  const maySend = usePermission('fax:send');
  const body = useRef<HTMLDivElement>(null);
  useScrollKeys(t.fax.thisFax, body, !withPages);
  useSeenMark(fax);
  return (
    <>
      <Head {...props} />
      <PaneBody ref={body}>
        <div className={styles['top']}>
          {stale !== null && (
            <Notice tone="warn" isLive title={t.sent.details.changed}>
              {stale}
            </Notice>
          )}
          {fax.delivery_state === 'reconciliation_required' && (
            <ConfirmationQuestion
              fax={fax}
              onAnswered={(answered) => {
                setStale(null);
                setMissing(answered.delivery_state === 'failed');
              }}
              onStale={setStale}
            />
          )}
          {fax.test && <Notice tone="plain">{t.fax.testSentence}</Notice>}
          {fax.error !== null && <Notice tone="danger">{fax.error}</Notice>}
          {fax.arrival_warning !== null && <Notice tone="warn">{fax.arrival_warning}</Notice>}
          <NotSentNotice fax={fax} />
          <ScheduledFax key={fax.id} fax={fax} onStale={setStale} />
          <FaxActions
            key={String(isMissing)}
            fax={fax}
            isMissing={isMissing}
            withPages={withPages}
            onStale={setStale}
            onSent={onOpen}
          />
        </div>
        <AboutPart
          key={fax.id}
          about={fax}
          mayChange={maySend}
          onSave={async (change) => storeFax(await describeFax(fax.id, change))}
          onStale={() => refetchFax(fax.id)}
        />
        <PageMarks fax={fax} />
        <AttemptFacts fax={fax} />
        <History id={fax.id} />
        <Report fax={fax} mayOpen={mayOpen} />
        <DocumentFacts fax={fax} mayOpen={mayOpen} onOpen={onOpen} />
        <OpenedBy key={fax.id} faxId={fax.id} className={styles['section']} />
      </PaneBody>
    </>
  );
}

/** To whom, and in one line when, by whom and how much. */
function Head({ fax, withPages, onPages, onClose }: FaxDetailsProps & { fax: Fax }) {
  const phone = usePhoneFormat();
  const me = useMe();
  const words = t.sent.details;
  const when = formatWhen(fax.created_at);
  const { pages } = fax.document;
  const isMe = fax.created_by.id === me?.principal.id;
  const facts = [
    ...(fax.contact ? [phone(fax.to)] : []),
    words.facts(formatCount(pages), pages === 1),
    isMe ? words.sentByYou(when) : words.sentBy(fax.created_by.name, when),
  ];
  const { tone, icon, word } = faxState(fax);
  return (
    <header className={styles['head']}>
      <div className={styles['names']}>
        <h2 className={styles['title']}>{fax.contact?.name ?? phone(fax.to)}</h2>
        <p className={styles['facts']}>
          <StateWord tone={tone} icon={icon}>
            {word}
          </StateWord>
          <HoldMark fax={fax} />
          {fax.test && <Mark>{t.fax.test}</Mark>}
          {fax.kind === 'code' && <Mark>{t.fax.partnerCode}</Mark>}
          <span>{facts.join(' · ')}</span>
          <ContactOfNumber number={fax.to} contact={fax.contact} />
        </p>
      </div>
      <IconButton icon="thumbs" label={t.sent.reader.show} isOn={withPages} onPress={onPages} />
      <IconButton icon="close" label={words.close} onPress={onClose} />
    </header>
  );
}

/** Shows the history of the fax. */
function History({ id }: { id: string }) {
  const history = useQuery(faxHistoryQuery(id));
  const words = t.sent.details;
  const entries = (history.data?.events ?? []).map((event) => ({
    occurredAt: event.occurred_at,
    sign: FAX_HISTORY_SIGNS[event.kind],
    text: event.text,
    by: words.by(event.actor),
  }));
  return (
    <HistoryPart
      title={words.history}
      brokeTitle={words.historyBroke}
      of={history}
      entries={entries}
      timeWidth={76}
    />
  );
}

/** Shows the reason why a fax waits, or needs a person's decision before it is sent. */
function NotSentNotice({ fax }: { fax: Fax }) {
  const history = useQuery(faxHistoryQuery(fax.id));
  const sentence = notSentReason(fax, history.data?.events ?? []);
  return sentence === null ? null : <Notice tone="warn">{sentence}</Notice>;
}
