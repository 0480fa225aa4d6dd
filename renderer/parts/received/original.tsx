import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../api/client.ts';
import { type InboundFax, storeFax } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatBytes } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ChooseKeyDialog } from './choose-key-dialog.tsx';
import styles from './original.module.css';
import { originalAddress } from './page-address.ts';
import received from './received-fax.module.css';

type Decode = NonNullable<InboundFax['decode']>;

const words = t.inbox.original;

/** Above the pages of a fax that carry a document: what was recovered of it. Nothing for ordinary pages. */
export function OriginalNotice({ fax }: { fax: InboundFax }) {
  const { decode } = fax;
  if (decode === null) return null;
  const isDecoded = decode.state === 'decoded';
  return (
    <div className={received['problem']}>
      <Notice
        tone={isDecoded ? 'ok' : 'warn'}
        icon={isDecoded ? 'file' : 'warn'}
        title={words.titles[decode.state]}
        action={isDecoded && <Download fax={fax} decode={decode} />}
      >
        <p>{decode.sentence}</p>
        {!isDecoded && <Retry fax={fax} decode={decode} />}
      </Notice>
    </div>
  );
}

/** The same among the details of the fax, with the facts of the file. */
export function OriginalPart({ fax, className }: { fax: InboundFax; className: string | undefined }) {
  const { decode } = fax;
  if (decode === null) return null;
  const { state, sentence, document_name: name, size_bytes: size, sha256 } = decode;
  return (
    <section className={className} aria-label={words.title}>
      <h3>{words.title}</h3>
      <p className={styles['sentence']}>{sentence}</p>
      {state === 'decoded' ? (
        <>
          <FactList wordWidth={96}>
            <Fact name={words.file}>{name}</Fact>
            {size !== null && <Fact name={words.size}>{formatBytes(size)}</Fact>}
            {sha256 !== null && (
              <Fact name={words.fingerprint}>
                <code className={styles['mono']}>{sha256}</code>
              </Fact>
            )}
          </FactList>
          <div className={styles['download']}>
            <Download fax={fax} decode={decode} />
          </div>
        </>
      ) : (
        <Retry fax={fax} decode={decode} />
      )}
    </section>
  );
}

/** Only for people who may open the document, while it is kept. */
function Download({ fax, decode }: { fax: InboundFax; decode: Decode }): ReactNode {
  if (!decode.document_kept) return <p className={styles['sentence']}>{words.removed}</p>;
  if (!fax.may_open) return null;
  return (
    <DownloadLink href={originalAddress(fax.id)} label={words.downloadOf(decode.document_name ?? '')}>
      {words.download}
    </DownloadLink>
  );
}

/** Looks at the pages again, also with the key of a contact that the person chooses. */
function Retry({ fax, decode }: { fax: InboundFax; decode: Decode }) {
  const [isChoosing, setChoosing] = useState(false);
  const mayChoose = usePermission('contacts:read');
  const again = useDecodeAgain(fax);
  if (!fax.may_open || !fax.document_kept) return null;
  const needsKey = decode.state === 'key_missing' || decode.state === 'key_wrong_or_altered';
  return (
    <>
      <div className={styles['actions']}>
        <Button icon="refresh" isPending={again.isPending} onPress={() => again.run(null)}>
          {words.again}
        </Button>
        {needsKey && mayChoose && (
          <Button isDisabled={again.isPending} onPress={() => setChoosing(true)}>
            {words.chooseContact}
          </Button>
        )}
      </div>
      {again.error !== null && (
        <p className={styles['sentence']} role="alert">
          {sentenceOf(again.error)}
        </p>
      )}
      {isChoosing && (
        <ChooseKeyDialog
          onClose={() => setChoosing(false)}
          onChoose={(contactId) => {
            setChoosing(false);
            again.run(contactId);
          }}
        />
      )}
    </>
  );
}

/** Pending until the fax changes, as it does with each result. */
function useDecodeAgain(fax: InboundFax) {
  const [version, setVersion] = useState<number | null>(null);
  const asking = useMutation({
    mutationFn: (contactId: string | null) =>
      client.inbound.decodeInbound({ params: { id: fax.id }, body: { contact_id: contactId } }),
    onSuccess: (answer) => {
      announce(words.looking);
      setVersion(answer.version);
      storeFax(answer);
    },
  });
  return {
    run: (contactId: string | null) => asking.mutate(contactId),
    isPending: asking.isPending || (version !== null && fax.version <= version),
    error: asking.error,
  };
}
