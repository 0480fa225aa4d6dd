import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { DirectoryMatch } from '../../../../shared/api/contacts-directory.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { directoryQuery } from '../../../api/contacts.ts';
import { usePermission } from '../../../api/queries.ts';
import { ContactDialog } from '../../../parts/contacts/contact-dialog.tsx';
import styles from '../../../parts/contacts/number-dialog.module.css';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/contacts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';

type Match = z.infer<typeof DirectoryMatch>;
const words = t.contacts.directory;
/** After the last key, so that not every letter is searched for. */
const PAUSE_MS = 300;
const MIN_LETTERS = 2;

interface DirectoryDialogProps {
  readonly onClose: () => void;
  /** Opens a contact beside the list. */
  readonly onShow: (id: string) => void;
}

/** Searches the office directory; an entry becomes a contact or the recipient of a new fax. */
export function DirectoryDialog({ onClose, onShow }: DirectoryDialogProps) {
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState<Match | null>(null);
  const [q, setQ] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const show = (id: string) => {
    onClose();
    onShow(id);
  };
  if (adding !== null) return <AddContact match={adding} onClose={() => setAdding(null)} onShow={show} />;
  return (
    <Dialog
      title={words.title}
      isOpen
      width="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{words.close}</Button>}
    >
      <div className={styles['parts']}>
        <p>{words.sentence}</p>
        <TextField
          label={words.search}
          icon="search"
          autoFocus
          autoComplete="off"
          maxLength={100}
          value={typed}
          onChange={setTyped}
        />
        <Entries q={q} isSettled={q === typed.trim()} onAdd={setAdding} onShow={show} />
      </div>
    </Dialog>
  );
}

function Entries(props: {
  q: string;
  /** The person stopped typing. */
  isSettled: boolean;
  onAdd: (match: Match) => void;
  onShow: (id: string) => void;
}) {
  const { q, isSettled } = props;
  const enabled = q.length >= MIN_LETTERS;
  const found = useQuery({ ...directoryQuery(q, LIMITS.completions), enabled });
  const items = found.data ?? [];
  return (
    <>
      <p role="status" className={styles['quiet']}>
        {enabled &&
          statusOf(items.length, { isSearching: !isSettled || found.isFetching, isFailed: found.isError })}
      </p>
      {isSettled && <LoadProblem of={found} />}
      <ul className={styles['list']} aria-label={words.list}>
        {items.map((match) => (
          <EntryRow key={`${match.name} ${match.fax_number}`} match={match} {...props} />
        ))}
      </ul>
    </>
  );
}

function statusOf(count: number, { isSearching, isFailed }: { isSearching: boolean; isFailed: boolean }) {
  if (isSearching) return words.searching;
  if (isFailed) return '';
  if (count === 0) return words.none;
  return count < LIMITS.completions ? words.found(count) : words.atLeast(count);
}

function EntryRow(props: { match: Match; onAdd: (match: Match) => void; onShow: (id: string) => void }) {
  const { match, onAdd, onShow } = props;
  const { name, organization, fax_number: number, contact } = match;
  const phone = usePhoneFormat();
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  const mayChange = usePermission('contacts:manage');
  return (
    <li className={styles['row']}>
      <span className={styles['words']}>
        <span>{name}</span>
        <span className={styles['quiet']}>
          {[phone(number), organization].filter((part) => part !== null && part !== name).join(' · ')}
        </span>
      </span>
      {maySend && (
        <Button
          icon="send"
          aria-label={words.sendNamed(name)}
          onPress={() => void navigate({ to: '/send', search: { to: number } })}
        >
          {words.send}
        </Button>
      )}
      {contact !== null && (
        <Button aria-label={words.showNamed(contact.name)} onPress={() => onShow(contact.id)}>
          {words.show}
        </Button>
      )}
      {contact === null && mayChange && (
        <Button icon="plus" aria-label={words.addNamed(name)} onPress={() => onAdd(match)}>
          {words.add}
        </Button>
      )}
    </li>
  );
}

/** The form of a new contact with the facts of the directory filled in. */
function AddContact(props: { match: Match; onClose: () => void; onShow: (id: string) => void }) {
  const { match, onClose, onShow } = props;
  const phone = usePhoneFormat();
  return (
    <ContactDialog
      number={match.fax_number}
      filled={{
        name: match.name,
        organization: match.organization ?? '',
        otherNumbers: match.other_fax_numbers.map(phone).join('\n'),
        voice: match.voice_number === null ? '' : phone(match.voice_number),
        address: match.address ?? '',
      }}
      onClose={onClose}
      onDone={({ id }) => onShow(id)}
      onShow={onShow}
    />
  );
}
