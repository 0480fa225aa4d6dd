import { useState } from 'react';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/sent.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes } from '../../../ui/format.ts';
import styles from './fax-details.module.css';
import { PdfViewer } from './pdf-viewer.tsx';

/** What was sent, exactly, and the numbers by which others know it. */
export function DocumentFacts(props: { fax: Fax; mayOpen: boolean; onOpen: (id: string) => void }) {
  const { fax, mayOpen, onOpen } = props;
  const [isOpen, setOpen] = useState(false);
  const words = t.sent.details;
  return (
    <section className={styles['section']}>
      <h3>{words.document}</h3>
      <dl className={styles['list']}>
        {factsOf(fax).map(([name, value, isMono]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd className={isMono ? styles['mono'] : undefined}>{value}</dd>
          </div>
        ))}
        {fax.resend_of !== null && (
          <>
            <dt>{words.resendOf}</dt>
            <dd>
              <Button variant="link" onPress={() => onOpen(fax.resend_of ?? '')}>
                {words.firstFax}
              </Button>
            </dd>
          </>
        )}
      </dl>
      {mayOpen ? (
        <Button icon="file" onPress={() => setOpen(true)}>
          {words.open}
        </Button>
      ) : (
        <p className={styles['quiet']}>{words.mayNotOpen}</p>
      )}
      {isOpen && (
        <PdfViewer
          id={fax.id}
          kind="document"
          title={fax.document.file_name}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

function factsOf(fax: Fax): [name: string, value: string, isMono: boolean][] {
  const words = t.sent.details;
  const titles = fax.titles.filter((title) => title !== '').join(', ');
  return [
    [words.file, fax.document.file_name, false],
    ...(titles === '' ? [] : [[words.titles, titles, false] as [string, string, boolean]]),
    [words.size, formatBytes(fax.document.size_bytes), false],
    ...(fax.clean_greys ? [[words.prepared, words.cleaned, false] as [string, string, boolean]] : []),
    ...(fax.mailbox === null ? [] : [[words.mailbox, fax.mailbox, false] as [string, string, boolean]]),
    [words.fingerprint, fax.document.sha256, true],
    [words.faxId, fax.id, true],
    ...(fax.provider_sid === null
      ? []
      : [[words.providerId, fax.provider_sid, true] as [string, string, boolean]]),
  ];
}
