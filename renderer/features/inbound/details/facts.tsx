import { useQuery } from '@tanstack/react-query';
import { UNKNOWN_NUMBER } from '../../../../shared/api/inbound-shapes.ts';
import { DIRECT_BACKEND, INTERNAL_BACKEND } from '../../../../shared/backends.ts';
import { evidenceQuery, type InboundFax } from '../../../api/inbound.ts';
import { ContactOfNumber } from '../../../parts/contacts/contact-of-number.tsx';
import { HoldFact } from '../../../parts/holds/hold-fact.tsx';
import { isDirect, numberWord, useSourceName } from '../../../parts/received/fax-words.ts';
import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CopyRefused, useCopying } from '../../../ui/copying.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import {
  formatBytes,
  formatCount,
  formatFully,
  formatTimeExactly,
  usePhoneFormat,
} from '../../../ui/format.ts';
import styles from './fax-drawer.module.css';

/** Numbers, times and proofs of a fax. */
export function Facts({ fax }: { fax: InboundFax }) {
  const phone = usePhoneFormat();
  const source = useSourceName()(fax);
  const words = t.inbox.details;
  const time = formatTimeExactly(fax.received_at);
  return (
    <section className={styles['section']}>
      <h3>{words.evidence}</h3>
      <FactList wordWidth={96}>
        <Fact name={words.from}>
          {numberWord(fax.fr, phone)}{' '}
          <ContactOfNumber number={fax.fr === UNKNOWN_NUMBER ? null : fax.fr} contact={fax.contact} />
        </Fact>
        <Fact name={words.called}>
          {numberWord(fax.to, phone)}
          {fax.to_inferred && <span className={styles['quiet']}>{words.inferred}</span>}
        </Fact>
        {fax.mailbox !== null && <Fact name={words.mailbox}>{fax.mailbox}</Fact>}
        {fax.source_system === null || isDirect(fax) ? (
          <Fact name={fax.status === 'received' ? words.received : words.announced}>
            <span title={formatFully(fax.received_at)}>{words.by(time, source)}</span>
          </Fact>
        ) : (
          <Imported fax={fax} system={fax.source_system} />
        )}
        <Checked fax={fax} />
        <HoldFact fax={fax} />
        <Fact name={words.pages}>{fax.pages === null ? words.notKnown : formatCount(fax.pages)}</Fact>
        {fax.size_bytes !== null && <Fact name={words.size}>{formatBytes(fax.size_bytes)}</Fact>}
        {fax.sha256 !== null && <Fingerprint sha256={fax.sha256} />}
        <Fact name={sourceIdWord(fax)}>{fax.provider_fax_id}</Fact>
      </FactList>
    </section>
  );
}

/** Returns the label of the id that the fax has at its source. */
function sourceIdWord(fax: InboundFax): string {
  const words = t.inbox.details;
  if (fax.backend === INTERNAL_BACKEND) return words.sentFaxId;
  if (fax.backend === DIRECT_BACKEND) return words.messageId;
  return fax.source_system === null ? words.providerId : words.operationId;
}

/** Shows the time of import and, where the other system reports it, the time it received the document. */
function Imported({ fax, system }: { fax: InboundFax; system: string }) {
  const words = t.inbox.details;
  const there = fax.source_received_at;
  return (
    <>
      <Fact name={words.imported}>
        <span title={formatFully(fax.received_at)}>
          {words.outOf(formatTimeExactly(fax.received_at), system)}
        </span>
      </Fact>
      {there !== null && <Fact name={words.receivedThere}>{formatFully(there)}</Fact>}
    </>
  );
}

/** Shows how the provider's report was verified. */
function Checked({ fax }: { fax: InboundFax }) {
  const first = useQuery(evidenceQuery(fax.id)).data?.items.find(({ kind }) =>
    ['notification', 'listed', 'imported', 'internal', 'direct', 'test'].includes(kind),
  );
  if (!first) return null;
  return <Fact name={t.inbox.details.checkedBy}>{t.inbox.details.checks[first.checked_by]}</Fact>;
}

/** Its two ends, and the whole of it where a person has to copy it on their own. */
function Fingerprint({ sha256 }: { sha256: string }) {
  const copying = useCopying(sha256);
  const ends = [sha256.slice(0, 4), sha256.slice(4, 8), '…', sha256.slice(-4)].join(' ');
  return (
    <Fact name={t.inbox.details.fingerprint}>
      <span className={styles['line']}>
        <code ref={copying.textRef} className={styles['mono']} title={sha256}>
          {copying.isRefused ? sha256 : ends}
        </code>
        <IconButton isSmall label={copying.label} {...copying.button} />
      </span>
      <CopyRefused of={copying} />
    </Fact>
  );
}
