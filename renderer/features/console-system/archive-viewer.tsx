import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ArchivedFax } from '../../../shared/archive-format.ts';
import { signingQuery } from '../../api/archives.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { type ArchiveReader, openArchiveFile } from './archive-reader.ts';
import { ArchiveSection, archiveSentence } from './archive-section.tsx';
import { Fact, Facts } from './facts.tsx';
import styles from './system.module.css';

const words = t.system.archives.reading;
/** Faxes that are listed; a search narrows them. */
const MAX_LISTED = 100;

/** Shows an archive of this computer, which is sent nowhere: its faxes, a search, and each fax with history and document. */
export function ArchiveViewer() {
  const opening = useMutation({ mutationFn: (file: File) => openArchiveFile(file) });
  return (
    <ArchiveSection
      words={words}
      label={words.choose}
      isPending={opening.isPending}
      error={opening.error}
      onFile={(file) => opening.mutate(file)}
    >
      {opening.data !== undefined && <OpenedArchive key={opening.submittedAt} reader={opening.data} />}
    </ArchiveSection>
  );
}

function OpenedArchive({ reader }: { reader: ArchiveReader }) {
  const { manifest, fingerprint } = reader;
  const { data: signing } = useQuery(signingQuery);
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState<ArchivedFax | null>(null);
  const wanted = search.trim().toLowerCase();
  const found = useQuery({
    queryKey: ['archive-file', reader.openingId, wanted],
    queryFn: ({ signal }) => findFaxes(reader, wanted, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isOwn = signing?.keys.some((key) => key.fingerprint === fingerprint);
  const time =
    manifest.month === null
      ? String(manifest.year)
      : `${manifest.year}-${String(manifest.month).padStart(2, '0')}`;
  return (
    <>
      <Facts title={words.archiveOf(time)}>
        <Fact name={words.sent}>{formatCount(manifest.sent)}</Fact>
        <Fact name={words.received}>{formatCount(manifest.received)}</Fact>
        <Fact name={words.made} title={formatFully(manifest.created_at)}>
          {words.madeBy(formatWhen(manifest.created_at), manifest.created_by)}
        </Fact>
        <Fact name={words.signedBy} title={fingerprint}>
          {isOwn === undefined ? fingerprint : isOwn ? words.signedHere : words.signedElsewhere}
        </Fact>
      </Facts>
      <TextField label={words.search} help={words.searchHelp} value={search} onChange={setSearch} />
      {found.error !== null && <p role="alert">{archiveSentence(found.error)}</p>}
      {found.data !== undefined && (
        <p className={styles['quiet']} role="status">
          {words.found(formatCount(found.data.length), found.data.length === MAX_LISTED)}
        </p>
      )}
      <ul className={styles['list']} aria-label={words.list}>
        {found.data?.map((fax) => (
          <FaxRow
            key={fax.id}
            fax={fax}
            reader={reader}
            isShown={shown?.id === fax.id}
            onShow={() => setShown(shown?.id === fax.id ? null : fax)}
          />
        ))}
      </ul>
    </>
  );
}

/** Returns the first faxes that contain the words, in lower case. Throws ArchiveFileError. */
async function findFaxes(reader: ArchiveReader, wanted: string, signal: AbortSignal): Promise<ArchivedFax[]> {
  const found: ArchivedFax[] = [];
  for await (const fax of reader.faxes()) {
    signal.throwIfAborted();
    const isFound = wanted === '' || JSON.stringify([fax.number, fax.fax]).toLowerCase().includes(wanted);
    if (isFound && found.push(fax) === MAX_LISTED) break;
  }
  return found;
}

function FaxRow(props: { fax: ArchivedFax; reader: ArchiveReader; isShown: boolean; onShow: () => void }) {
  const { fax, reader, isShown, onShow } = props;
  const phone = usePhoneFormat();
  const number = phone(fax.number);
  return (
    <li className={styles['backup']}>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <p className={styles['name']}>{fax.direction === 'sent' ? words.to(number) : words.from(number)}</p>
          <p className={styles['meta']} title={formatFully(fax.at)}>
            {[formatWhen(fax.at), outcomeOf(fax), textOf(fax.fax, 'subject')].filter(Boolean).join(' · ')}
          </p>
        </div>
        <Button
          aria-expanded={isShown}
          aria-label={isShown ? words.hideOf(number) : words.showOf(number)}
          onPress={onShow}
        >
          {isShown ? words.hide : words.show}
        </Button>
      </div>
      {isShown && <FaxDetails fax={fax} reader={reader} />}
    </li>
  );
}

function FaxDetails({ fax, reader }: { fax: ArchivedFax; reader: ArchiveReader }) {
  const entries = [...fax.history, ...(fax.work?.history ?? [])];
  return (
    <div className={styles['column']}>
      <DocumentLink fax={fax} reader={reader} />
      <Facts isNested title={words.historyOf} none={entries.length === 0 ? words.noHistory : null}>
        {entries.map((entry, at) => (
          <Fact key={at} name={timeOf(textOf(entry, 'occurred_at'))} title={textOf(entry, 'actor')}>
            {textOf(entry, 'text')}
          </Fact>
        ))}
      </Facts>
      <Facts isNested title={words.attempts} none={fax.attempts.length === 0 ? words.noAttempts : null}>
        {fax.attempts.map((attempt, at) => (
          <Fact key={at} name={timeOf(textOf(attempt, 'submitted_at')) || words.notSubmitted}>
            {[textOf(attempt, 'backend'), textOf(attempt, 'phase'), textOf(attempt, 'provider_sid')]
              .filter(Boolean)
              .join(' · ')}
          </Fact>
        ))}
      </Facts>
    </div>
  );
}

/** Saves the document, once it was compared with its digest, or shows its pages in a tab. */
function DocumentLink({ fax: { document, id }, reader }: { fax: ArchivedFax; reader: ArchiveReader }) {
  const file = document?.file;
  const opened = useQuery({
    queryKey: ['archive-file', reader.openingId, id, 'document'],
    queryFn: async () => new Blob([await reader.read(file ?? '')], { type: 'application/pdf' }),
    enabled: file !== undefined,
    retry: false,
    gcTime: 0,
  });
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (opened.data === undefined) return;
    const made = URL.createObjectURL(opened.data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [opened.data]);
  if (file === undefined) return <p className={styles['quiet']}>{words.noDocument}</p>;
  if (opened.error !== null) return <p role="alert">{archiveSentence(opened.error)}</p>;
  if (address === null) return <p className={styles['quiet']}>{words.readingDocument}</p>;
  return (
    <div className={styles['line']}>
      <DownloadLink href={address} fileName={file}>
        {words.save}
      </DownloadLink>
      <a href={address} target="_blank" rel="noopener">
        {words.openPages}
      </a>
    </div>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = {
  success: t.fax.delivered,
  failed: t.fax.failed,
  cancelled: t.fax.cancelled,
};

/** Returns the outcome of a sent fax in a word; empty for a received one. */
const outcomeOf = ({ direction, fax }: ArchivedFax): string =>
  direction === 'sent' ? (OUTCOMES[textOf(fax, 'delivery_state')] ?? '') : '';

const timeOf = (stored: string): string => (stored === '' ? '' : formatFully(stored));

function textOf(entry: Readonly<Record<string, unknown>>, name: string): string {
  const value = entry[name];
  return typeof value === 'string' ? value : '';
}
