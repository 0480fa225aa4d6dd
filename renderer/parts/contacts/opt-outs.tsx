import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { z } from 'zod';
import type { OptOut } from '../../../shared/api/contacts-opt-outs.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { client } from '../../api/client.ts';
import { contactsChanged, optOutsQuery } from '../../api/contacts.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { formatCount, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LoadProblem } from '../load-problem.tsx';
import styles from './number-dialog.module.css';

type Entry = z.infer<typeof OptOut>;
const words = t.contacts.optOuts;
/** Numbers that are read on at once. */
const MORE = 50;

/** Opens the list of the numbers that want no faxes. */
export function OptOutsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="block" onPress={() => setOpen(true)}>
        {words.open}
      </Button>
      {isOpen && <OptOutsDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function OptOutsDialog({ onClose }: { onClose: () => void }) {
  const mayChange = usePermission('contacts:manage');
  return (
    <Dialog
      title={words.title}
      helpPage="broadcasts#who-wants-no-faxes"
      isOpen
      width="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{words.close}</Button>}
    >
      <div className={styles['parts']}>
        <p>{words.sentence}</p>
        {mayChange && <AddNumber />}
        {mayChange && <ImportFile />}
        <Numbers mayChange={mayChange} />
      </div>
    </Dialog>
  );
}

/** Adds one number. The field is empty again afterward, for the next one. */
function AddNumber() {
  const [number, setNumber] = useState('');
  const [note, setNote] = useState('');
  const phone = usePhoneFormat();
  const add = useMutation({
    mutationFn: () =>
      client.contacts.addOptOut({ body: { fax_number: number.trim(), note: note.trim() || null } }),
    onSuccess: ({ fax_number }) => {
      setNumber('');
      announce(words.added(phone(fax_number)));
      void contactsChanged();
    },
  });
  return (
    <form
      className={styles['add']}
      noValidate
      aria-label={words.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (number.trim() !== '') add.mutate();
      }}
    >
      <TextField
        label={words.number}
        value={number}
        autoFocus
        maxLength={40}
        onChange={setNumber}
        error={add.error === null ? null : sentenceOf(add.error)}
      />
      <TextField
        label={words.note}
        value={note}
        maxLength={LIMITS.contactLengths.consentNote}
        onChange={setNote}
      />
      <MainButton
        type="submit"
        variant="default"
        isPending={add.isPending}
        reason={number.trim() === '' ? words.numberFirst : null}
      >
        {words.add}
      </MainButton>
    </form>
  );
}

/** Adds the numbers of a file: nothing is taken off the list by it. */
function ImportFile() {
  const take = useMutation({
    mutationFn: (file: File) =>
      client.contacts.importOptOuts({ fields: {}, files: { file: [{ name: file.name, content: file }] } }),
    onSuccess: () => void contactsChanged(),
  });
  const { data: done, error } = take;
  return (
    <div className={styles['parts']}>
      <div>
        <FileButton
          icon="upload"
          isPending={take.isPending}
          fieldLabel={words.import}
          accept=".csv,.txt,text/csv"
          onFiles={([file]) => file && take.mutate(file)}
        >
          {words.import}
        </FileButton>
      </div>
      {error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(error)}
        </Notice>
      )}
      {done && (
        <Notice tone={done.left_out === 0 ? 'ok' : 'warn'} isLive>
          {words.imported(formatCount(done.added), formatCount(done.unchanged))}
          {done.problems.length > 0 && (
            <ul className={styles['problems']} aria-label={words.problems}>
              {done.problems.map(({ line, sentence }, at) => (
                // A line may hold several numbers, and rows keep their places.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <li key={at}>{words.line(formatCount(line), sentence)}</li>
              ))}
            </ul>
          )}
        </Notice>
      )}
    </div>
  );
}

function Numbers({ mayChange }: { mayChange: boolean }) {
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(MORE);
  const q = useDeferredValue(typed.trim());
  const read = useQuery(optOutsQuery(q, limit));
  const items = read.data?.items;
  return (
    <>
      <TextField
        label={words.search}
        isLabelHidden
        icon="search"
        placeholder={words.search}
        maxLength={40}
        value={typed}
        onChange={setTyped}
      />
      <LoadProblem of={read} />
      {items?.length === 0 && <p>{q === '' ? words.none : words.noMatch}</p>}
      {items && items.length > 0 && (
        <ul className={styles['list']} aria-label={words.title}>
          {items.map((entry) => (
            <Row key={entry.fax_number} entry={entry} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {read.data?.isWhole === false && <Button onPress={() => setLimit(limit + MORE)}>{words.more}</Button>}
    </>
  );
}

/** A number with its contact, since when it is so, and the way off the list, which asks first. */
function Row({ entry, mayChange }: { entry: Entry; mayChange: boolean }) {
  const { fax_number: number, source, contact, note, added_at, added_by } = entry;
  const [isAsking, setAsking] = useState(false);
  const phone = usePhoneFormat();
  const remove = useMutation({
    mutationFn: () => client.contacts.removeOptOut({ params: { number } }),
    onSuccess: () => {
      announce(words.removed(phone(number)));
      void contactsChanged();
    },
  });
  const since = formatWhen(added_at);
  const facts = [
    contact?.name,
    source === 'contact' ? words.ofContact(since) : words.addedBy(added_by ?? '', since),
    note,
  ].filter(Boolean);
  return (
    <li className={styles['row']}>
      <span className={styles['words']}>
        <span dir="ltr">{phone(number)}</span>
        <span className={styles['quiet']} title={formatFully(added_at)}>
          {facts.join(' · ')}
        </span>
        {remove.error !== null && (
          <Notice tone="danger" isLive>
            {sentenceOf(remove.error)}
          </Notice>
        )}
      </span>
      {mayChange && source === 'list' && !isAsking && (
        <Button aria-label={words.removeLabel(phone(number))} onPress={() => setAsking(true)}>
          {words.remove}
        </Button>
      )}
      {isAsking && (
        <span className={styles['ask']}>
          {words.question}
          <Button isPending={remove.isPending} onPress={() => remove.mutate()}>
            {words.yes}
          </Button>
          <Button variant="plain" autoFocus onPress={() => setAsking(false)}>
            {words.no}
          </Button>
        </span>
      )}
    </li>
  );
}
