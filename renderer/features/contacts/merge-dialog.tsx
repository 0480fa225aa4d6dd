import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../../api/client.ts';
import { type Contact, contactHistoryQuery, contactsChanged } from '../../api/contacts.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './merge-dialog.module.css';

const words = t.contacts.merging;
const MAX_FOUND = 8;

/** Merges another contact into this one: it is chosen, then what both become is shown and confirmed. */
export function MergeDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const [other, setOther] = useState<Contact | null>(null);
  if (other === null) return <OtherDialog contact={contact} onClose={onClose} onChoose={setOther} />;
  return <ResultDialog {...{ contact, other, onClose }} onOther={() => setOther(null)} />;
}

function OtherDialog(props: { contact: Contact; onClose: () => void; onChoose: (other: Contact) => void }) {
  const { contact, onClose, onChoose } = props;
  const phone = usePhoneFormat();
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['contacts', 'merge', q],
    enabled: q !== '',
    // Keeps the contacts that the person is about to choose from, until the next answer is here.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.contacts.listContacts({ query: { q, limit: MAX_FOUND + 1 }, signal }),
  });
  const items = q === '' ? [] : (found.data?.items ?? []).filter(({ id }) => id !== contact.id);
  return (
    <Dialog
      title={words.title(contact.name)}
      isOpen
      onClose={onClose}
      kind="form"
      actions={<Button onPress={onClose}>{words.cancel}</Button>}
    >
      <div className={styles['stack']}>
        <p>{words.sentence}</p>
        <TextField
          label={words.search}
          placeholder={words.hint}
          icon="search"
          value={typed}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={setTyped}
        />
        {found.error !== null && <p role="alert">{sentenceOf(found.error)}</p>}
        {found.data && !found.isPlaceholderData && q !== '' && items.length === 0 && (
          <p role="status">{words.none}</p>
        )}
        {items.length > 0 && (
          <ul className={styles['found']} aria-label={words.found}>
            {items.slice(0, MAX_FOUND).map((other) => (
              <li key={other.id}>
                <Button variant="link" onPress={() => onChoose(other)}>
                  {other.name}
                </Button>
                <span className={styles['quiet']} dir="ltr">
                  {phone(other.fax_number)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function ResultDialog(props: { contact: Contact; other: Contact; onClose: () => void; onOther: () => void }) {
  const { contact, other, onClose, onOther } = props;
  const body = { version: contact.version, other_id: other.id, other_version: other.version };
  const params = { id: contact.id };
  const queries = useQueryClient();
  const merging = useMutation({
    // Cancels requests about the other contact, which would be answered after it is gone.
    onMutate: () => queries.cancelQueries(contactHistoryQuery(other.id)),
    mutationFn: () => client.contacts.mergeContacts({ params, body }),
    onSuccess: async () => {
      announce(words.merged(other.name, contact.name));
      onClose();
      await contactsChanged();
    },
  });
  // The event of the merge may come before its answer; the other contact is gone by then.
  const isAsking = merging.isIdle || merging.isError;
  const result = useQuery({
    queryKey: ['contacts', 'merge', params, body],
    retry: false,
    enabled: isAsking,
    queryFn: ({ signal }) =>
      client.contacts.mergeContacts({ params, body: { ...body, check_only: true }, signal }),
  });
  const error = merging.error ?? result.error;
  return (
    <Dialog
      title={words.resultTitle(contact.name)}
      isOpen
      onClose={onClose}
      kind="form"
      actions={
        <>
          {result.data && (
            <Button variant="primary" isPending={merging.isPending} onPress={() => merging.mutate()}>
              {words.merge}
            </Button>
          )}
          <Button autoFocus onPress={onClose}>
            {words.cancel}
          </Button>
          <Button variant="plain" onPress={onOther}>
            {words.other}
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        {result.data && <Result {...{ contact, other, isAsking }} merged={result.data} />}
        {result.data && <Notice tone="warn">{words.warning(other.name)}</Notice>}
        {error !== null && (
          <Notice tone="danger" isLive>
            {sentenceOf(error)}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

/** Shows the merged contact: numbers, tags, texts, and the faxes of all numbers. */
function Result(props: {
  contact: Contact;
  other: Contact;
  merged: Contact;
  /** The contacts are two still. */
  isAsking: boolean;
}) {
  const { contact, other, merged, isAsking: enabled } = props;
  const phone = usePhoneFormat();
  const own = [contact.fax_number, ...contact.other_fax_numbers];
  const numbers = [merged.fax_number, ...merged.other_fax_numbers];
  const sums = [
    useQuery(contactHistoryQuery(contact.id)).data,
    useQuery({ ...contactHistoryQuery(other.id), enabled }).data,
  ];
  const total = (of: 'delivered' | 'failed') =>
    formatCount(sums.reduce((sum, history) => sum + (history?.[of] ?? 0), 0));
  const details = t.contacts.details;
  return (
    <>
      <FactList wordWidth={108}>
        <Fact name={words.name}>{merged.name}</Fact>
        {merged.organization !== null && <Fact name={details.organization}>{merged.organization}</Fact>}
        <Fact name={words.numbers}>
          {numbers.map((number) => (
            <div key={number} dir="ltr">
              {own.includes(number) ? phone(number) : words.isNew(phone(number))}
            </div>
          ))}
        </Fact>
        {merged.voice_number !== null && <Fact name={details.voice}>{phone(merged.voice_number)}</Fact>}
        {merged.tags.length > 0 && <Fact name={details.tags}>{merged.tags.join(', ')}</Fact>}
        {sums.every(Boolean) && (
          <Fact name={words.history}>{words.historyOf(total('delivered'), total('failed'))}</Fact>
        )}
        {merged.note !== null && (
          <Fact name={details.note}>
            <span className={styles['note']}>{merged.note}</span>
          </Fact>
        )}
      </FactList>
      {merged.blocked && <p>{words.blocked}</p>}
      {merged.opted_out && <p>{words.optedOut}</p>}
    </>
  );
}
