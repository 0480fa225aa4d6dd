import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { describeEdits } from '../../../../shared/page-edits.ts';
import { usePermission } from '../../../api/queries.ts';
import { fieldInWords } from '../../../parts/covers/cover-words.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { HoldFact } from '../../../parts/holds/hold-fact.tsx';
import { numberWord } from '../../../parts/received/fax-words.ts';
import { PdfViewer } from '../../../parts/report/pdf-viewer.tsx';
import { t } from '../../../texts/sent.ts';
import { Button } from '../../../ui/button.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatBytes, formatCount, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import styles from './fax-details.module.css';

/** Shows the exact document that was sent, and the ids by which other systems identify it. */
export function DocumentFacts(props: { fax: Fax; mayOpen: boolean; onOpen: (id: string) => void }) {
  const { fax, mayOpen, onOpen } = props;
  const [opened, setOpened] = useState<'document' | 'original' | null>(null);
  const words = t.sent.details;
  return (
    <section className={styles['section']}>
      <h3>{words.document}</h3>
      <FactList wordWidth={96}>
        {factsOf(fax).map(([name, value, isMono]) => (
          <Fact key={name} name={name} isMono={isMono}>
            {value}
          </Fact>
        ))}
        {fax.cover !== null && <CoverFact cover={fax.cover} />}
        {fax.delivered_by === 'internal' && fax.provider_sid !== null && (
          <ReceivedFax id={fax.provider_sid} />
        )}
        <HoldFact fax={fax} isNamed={false} />
        {fax.case_id !== null && (
          <Fact name={words.caseOfFax}>
            <Link to="/cases/{-$caseId}" params={{ caseId: fax.case_id }}>
              {fax.case_id}
            </Link>
          </Fact>
        )}
        {fax.broadcast_id !== null && (
          <Fact name={words.broadcastOfFax}>
            <Link to="/sent/broadcasts/{-$broadcastId}" params={{ broadcastId: fax.broadcast_id }}>
              {words.openBroadcast}
            </Link>
          </Fact>
        )}
        <Together fax={fax} onOpen={onOpen} />
        {fax.answers !== null && <Answers answered={fax.answers} />}
        {fax.resend_of !== null && (
          <Fact name={words.resendOf}>
            <Button variant="link" onPress={() => onOpen(fax.resend_of ?? '')}>
              {words.firstFax}
            </Button>
          </Fact>
        )}
        {fax.tried_again_as !== null && (
          <Fact name={t.fax.triedAgainAs}>
            <Button variant="link" onPress={() => onOpen(fax.tried_again_as ?? '')}>
              {t.fax.triedAgain}
            </Button>
          </Fact>
        )}
      </FactList>
      {mayOpen ? (
        <>
          <Button icon="file" onPress={() => setOpened('document')}>
            {words.open}
          </Button>
          {fax.edits !== null && <Button onPress={() => setOpened('original')}>{words.openOriginal}</Button>}
        </>
      ) : (
        <p className={styles['quiet']}>{words.mayNotOpen}</p>
      )}
      {opened !== null && (
        <PdfViewer
          id={fax.id}
          kind={opened}
          title={opened === 'original' ? words.originalOf(fax.document.file_name) : fax.document.file_name}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}

/** The cover page, with the values that were printed on it. */
function CoverFact({ cover: { name, fields } }: { cover: NonNullable<Fax['cover']> }) {
  return (
    <Fact name={t.sent.details.cover}>
      {name}
      <ul className={styles['printed']}>
        {Object.entries(fields).map(([field, value]) => (
          <li key={field}>{t.sent.details.coverField(fieldInWords(field), value)}</li>
        ))}
      </ul>
    </Fact>
  );
}

/** Links to the received fax that it answers. */
function Answers({ answered }: { answered: NonNullable<Fax['answers']> }) {
  const phone = usePhoneFormat();
  const words = t.sent.details;
  return (
    <Fact name={words.answers}>
      <Link to="/inbox/{-$receivedId}" params={{ receivedId: answered.inbound_id }}>
        {words.answeredFax(numberWord(answered.from, phone), formatWhen(answered.received_at))}
      </Link>
    </Fact>
  );
}

/** The others that leave or left in one call with it. */
function Together({ fax: { together }, onOpen }: { fax: Fax; onOpen: (id: string) => void }) {
  if (together.with.length === 0) return null;
  const words = t.sent.details;
  return (
    <Fact name={together.leaves_at === null ? words.inOneCall : words.leavesWith}>
      {together.with.map((id, i) => (
        <Button key={id} variant="link" onPress={() => onOpen(id)}>
          {words.otherFax(formatCount(i + 1))}
        </Button>
      ))}
    </Fact>
  );
}

/** Links to the received fax that a fax to an own number became. */
function ReceivedFax({ id }: { id: string }) {
  const mayList = usePermission('inbound:list');
  const words = t.sent.details;
  return (
    <Fact name={words.receivedAs} isMono={!mayList}>
      {mayList ? (
        <Link to="/inbox/{-$receivedId}" params={{ receivedId: id }}>
          {words.openReceived}
        </Link>
      ) : (
        id
      )}
    </Fact>
  );
}

function encodedWord({ mode, pages }: NonNullable<Fax['encoded']>): string {
  const words = t.sent.details.encoded;
  return words[mode](formatCount(pages), pages === 1);
}

function factsOf(fax: Fax): [name: string, value: string, isMono: boolean][] {
  const words = t.sent.details;
  const titles = fax.titles.filter((title) => title !== '').join(', ');
  return [
    [words.file, fax.document.file_name, false],
    ...(titles === '' ? [] : [[words.titles, titles, false] as [string, string, boolean]]),
    [words.size, formatBytes(fax.document.size_bytes), false],
    ...(fax.clean_greys ? [[words.prepared, words.cleaned, false] as [string, string, boolean]] : []),
    ...(fax.edits === null
      ? []
      : [[words.pagesChanged, describeEdits(fax.edits), false] as [string, string, boolean]]),
    ...(fax.encoded === null
      ? []
      : [[words.sentAs, encodedWord(fax.encoded), false] as [string, string, boolean]]),
    ...(fax.header_name === null || fax.internal || fax.direct
      ? []
      : [[words.headerName, fax.header_name, false] as [string, string, boolean]]),
    ...(fax.mailbox === null ? [] : [[words.mailbox, fax.mailbox, false] as [string, string, boolean]]),
    ...(fax.document.sha256 === null
      ? []
      : [[words.fingerprint, fax.document.sha256, true] as [string, string, boolean]]),
    [words.faxId, fax.id, true],
    ...(fax.provider_sid === null || fax.delivered_by === 'internal'
      ? []
      : [
          [fax.direct ? words.messageId : words.providerId, fax.provider_sid, true] as [
            string,
            string,
            boolean,
          ],
        ]),
  ];
}
