import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { holds, type NewHold } from '../../api/holds.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { FormDialog } from '../../parts/forms/form-dialog.tsx';
import { timesOf } from '../../parts/lists/days.ts';
import { t } from '../../texts/administration.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useMailboxChoice } from './use-mailbox-choice.ts';

const words = t.system.holds.form;

const KINDS = ['number', 'case', 'mailbox', 'period'] as const;
type Kind = (typeof KINDS)[number];

const NOTHING = { name: '', reason: '', kind: 'number' as Kind, value: '', since: '', until: '' };

/** Subject of a form; null for faxes that are chosen in it. */
export type HoldSubject = { readonly fax_ids: [string] } | { readonly contact_id: string } | null;

/** Form of a new legal hold; on one fax or a contact where its id is given. */
export function HoldDialog(props: { subject: HoldSubject; onClose: () => void; onPlaced: () => void }) {
  const { subject, onClose, onPlaced } = props;
  const [typed, setTyped] = useState(NOTHING);
  const type = (change: Partial<typeof NOTHING>) => setTyped((before) => ({ ...before, ...change }));
  const placing = useMutation({
    mutationFn: () => holds.createLegalHold({ body: bodyOf(typed, subject) }),
    onSuccess: ({ name, faxes }) => {
      announce(words.placed(name, faxes.sent + faxes.received));
      onPlaced();
    },
  });
  return (
    <FormDialog
      title={words.title}
      words={words}
      isPending={placing.isPending}
      blocked={missingOf(typed, subject)}
      onSave={() => placing.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        help={words.nameHelp}
        value={typed.name}
        maxLength={LIMITS.displayNameLength}
        autoFocus
        autoComplete="off"
        onChange={(name) => type({ name })}
      />
      <TextArea
        label={words.reason}
        help={words.reasonHelp}
        value={typed.reason}
        maxLength={1_000}
        onChange={(reason) => type({ reason })}
      />
      {subject === null ? (
        <Covered typed={typed} type={type} />
      ) : (
        <p>{'fax_ids' in subject ? words.oneFax : words.oneContact}</p>
      )}
      {placing.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(placing.error)}
        </Notice>
      )}
    </FormDialog>
  );
}

interface CoveredProps {
  readonly typed: typeof NOTHING;
  readonly type: (change: Partial<typeof NOTHING>) => void;
}

/** The faxes that it covers: by one fact, and from one day to another. */
function Covered({ typed, type }: CoveredProps) {
  const { kind, value, since, until } = typed;
  const mailboxes = useMailboxChoice();
  return (
    <>
      <Choice
        label={words.kind}
        options={KINDS.map((id) => ({ id, label: words.kinds[id] }))}
        value={kind}
        onChange={(chosen) => type({ kind: chosen, value: '' })}
      />
      {kind === 'mailbox' && (
        <Choice
          label={words.values.mailbox}
          options={mailboxes}
          value={value || null}
          placeholder={words.chooseMailbox}
          onChange={(id) => type({ value: id })}
        />
      )}
      {(kind === 'number' || kind === 'case') && (
        <TextField
          label={words.values[kind]}
          help={words.valueHelp[kind]}
          value={value}
          maxLength={kind === 'number' ? 40 : LIMITS.idLength}
          autoComplete="off"
          onChange={(text) => type({ value: text })}
        />
      )}
      <TextField
        label={words.since}
        type="date"
        value={since}
        help={words.sinceHelp}
        onChange={(day) => type({ since: day })}
      />
      <TextField
        label={words.until}
        type="date"
        value={until}
        help={words.untilHelp}
        onChange={(day) => type({ until: day })}
      />
    </>
  );
}

/** Returns a sentence on what is missing; null for nothing. */
function missingOf({ name, reason, kind, value, since, until }: typeof NOTHING, subject: HoldSubject) {
  if (name.trim() === '') return words.nameMissing;
  if (reason.trim() === '') return words.reasonMissing;
  if (subject !== null) return null;
  if (kind === 'period') return since === '' && until === '' ? words.daysMissing : null;
  return value.trim() === '' ? words.valueMissing[kind] : null;
}

function bodyOf({ name, reason, kind, value, since, until }: typeof NOTHING, subject: HoldSubject): NewHold {
  const text = { name: name.trim(), reason: reason.trim() };
  if (subject !== null) return { ...text, ...subject };
  const days = timesOf({ since, until });
  if (kind === 'period') return { ...text, ...days };
  const field = { number: 'number', case: 'case_id', mailbox: 'mailbox_id' } as const;
  return { ...text, ...days, [field[kind]]: value.trim() };
}
