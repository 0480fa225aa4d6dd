import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { evidenceQuery, type InboundFax } from '../../../api/inbound.ts';
import { contextQuery } from '../../../api/queries.ts';
import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import {
  formatBytes,
  formatCount,
  formatFully,
  formatTimeExactly,
  usePhoneFormat,
} from '../../../ui/format.ts';
import { numberWord, sourceName } from '../fax-words.ts';
import styles from './fax-drawer.module.css';

/** Numbers, times and proofs of a fax. */
export function Facts({ fax }: { fax: InboundFax }) {
  const phone = usePhoneFormat();
  const providers = useQuery(contextQuery).data?.provider_names;
  const words = t.inbox.details;
  const time = formatTimeExactly(fax.received_at);
  return (
    <section className={styles['section']}>
      <h3>{words.evidence}</h3>
      <dl className={styles['facts']}>
        <Fact name={words.from}>{numberWord(fax.fr, phone)}</Fact>
        <Fact name={words.called}>
          {numberWord(fax.to, phone)}
          {fax.to_inferred && <span className={styles['quiet']}>{words.inferred}</span>}
        </Fact>
        {fax.mailbox !== null && <Fact name={words.mailbox}>{fax.mailbox}</Fact>}
        <Fact name={fax.status === 'received' ? words.received : words.announced}>
          <span title={formatFully(fax.received_at)}>{words.by(time, sourceName(fax, providers))}</span>
        </Fact>
        <Checked fax={fax} />
        <Fact name={words.pages}>{fax.pages === null ? words.notKnown : formatCount(fax.pages)}</Fact>
        {fax.size_bytes !== null && <Fact name={words.size}>{formatBytes(fax.size_bytes)}</Fact>}
        {fax.sha256 !== null && <Fingerprint sha256={fax.sha256} />}
        <Fact name={words.providerId}>{fax.provider_fax_id}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** How it was made sure that the report came from the provider. */
function Checked({ fax }: { fax: InboundFax }) {
  const first = useQuery(evidenceQuery(fax.id)).data?.items.find(({ kind }) =>
    ['notification', 'listed', 'test'].includes(kind),
  );
  if (!first) return null;
  return <Fact name={t.inbox.details.checkedBy}>{t.inbox.details.checks[first.checked_by]}</Fact>;
}

function Fingerprint({ sha256 }: { sha256: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(sha256).then(() => setCopied(true));
  };
  const groups = [sha256.slice(0, 4), sha256.slice(4, 8), '…', sha256.slice(-4)].join(' ');
  return (
    <Fact name={t.inbox.details.fingerprint}>
      <span className={styles['line']}>
        <code className={styles['mono']} title={sha256}>
          {groups}
        </code>
        <IconButton
          isSmall
          icon={copied ? 'check' : 'copy'}
          label={copied ? t.ui.copied : t.ui.copy}
          onPress={copy}
          onBlur={() => setCopied(false)}
        />
      </span>
    </Fact>
  );
}
