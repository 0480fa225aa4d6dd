import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { cases } from '../../api/cases.ts';
import { holds, type NewHold } from '../../api/holds.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { FormDialog } from '../../parts/forms/form-dialog.tsx';
import { timesOf } from '../../parts/lists/days.ts';
import { t } from '../../texts/administration.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SuggestField } from '../../ui/suggest-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useMailboxChoice } from './use-mailbox-choice.ts';

const words = t.system.holds.form;

const KINDS = ['number', 'case', 'mailbox', 'period'] as const;
type Kind = (typeof KINDS)[number];

const MOST_CASES = 50;

const EMPTY = { name: '', reason: '', kind: 'number' as Kind, value: '', since: '', until: '' };

/** Fax or contact that a new legal hold is for; null where the faxes are chosen in the form. */
export type HoldSubject = { readonly fax_ids: [string] } | { readonly contact_id: string } | null;

/** Form for a new legal hold. */
export function HoldDialog(props: { subject: HoldSubject; onClose: () => void; onPlaced: () => void }) {
  const { subject, onClose, onPlaced } = props;
  const [typed, setTyped] = useState(EMPTY);
  const change = (values: Partial<typeof EMPTY>) => setTyped((before) => ({ ...before, ...values }));
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
      helpPage="legal-holds"
      words={words}
      isPending={placing.isPending}
      blocked={missingText(typed, subject)}
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
        onChange={(name) => change({ name })}
      />
      <TextArea
        label={words.reason}
        help={words.reasonHelp}
        value={typed.reason}
        maxLength={1_000}
        onChange={(reason) => change({ reason })}
      />
      {subject === null ? (
        <CoverageFields typed={typed} onChange={change} />
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

interface CoverageProps {
  readonly typed: typeof EMPTY;
  readonly onChange: (values: Partial<typeof EMPTY>) => void;
}

/** Fields for the faxes that the hold covers: those of a number, case or mailbox, and of a period. */
function CoverageFields({ typed, onChange }: CoverageProps) {
  const { kind, value, since, until } = typed;
  const mailboxes = useMailboxChoice();
  return (
    <>
      <Choice
        label={words.kind}
        options={KINDS.map((id) => ({ id, label: words.kinds[id] }))}
        value={kind}
        onChange={(chosen) => onChange({ kind: chosen, value: '' })}
      />
      {kind === 'mailbox' && (
        <Choice
          label={words.values.mailbox}
          options={mailboxes}
          value={value || null}
          placeholder={words.chooseMailbox}
          onChange={(id) => onChange({ value: id })}
        />
      )}
      {kind === 'number' && (
        <TextField
          label={words.values.number}
          help={words.valueHelp.number}
          value={value}
          maxLength={40}
          autoComplete="off"
          onChange={(text) => onChange({ value: text })}
        />
      )}
      {kind === 'case' && <CaseField value={value} onChange={(text) => onChange({ value: text })} />}
      <TextField
        label={words.since}
        type="date"
        value={since}
        help={words.sinceHelp}
        onChange={(day) => onChange({ since: day })}
      />
      <TextField
        label={words.until}
        type="date"
        value={until}
        help={words.untilHelp}
        onChange={(day) => onChange({ until: day })}
      />
    </>
  );
}

/** The case is chosen from those that have faxes; another can be typed, whose first fax is still to come. */
function CaseField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const mayList = usePermission('fax:read');
  const sought = useDeferredValue(value.trim());
  const found = useQuery({
    queryKey: ['holds', 'cases', sought],
    queryFn: ({ signal }) => cases.listCases({ query: { limit: MOST_CASES, q: sought }, signal }),
    enabled: mayList,
    placeholderData: keepPreviousData,
  });
  return (
    <SuggestField
      label={words.values.case}
      help={words.valueHelp.case}
      value={value}
      suggestions={(found.data?.items ?? []).map(({ case_id }) => case_id)}
      maxLength={LIMITS.idLength}
      onChange={onChange}
    />
  );
}

/** Returns a sentence about the first field that is missing; null when none is. */
function missingText({ name, reason, kind, value, since, until }: typeof EMPTY, subject: HoldSubject) {
  if (name.trim() === '') return words.nameMissing;
  if (reason.trim() === '') return words.reasonMissing;
  if (subject !== null) return null;
  if (kind === 'period') return since === '' && until === '' ? words.daysMissing : null;
  return value.trim() === '' ? words.valueMissing[kind] : null;
}

function bodyOf({ name, reason, kind, value, since, until }: typeof EMPTY, subject: HoldSubject): NewHold {
  const text = { name: name.trim(), reason: reason.trim() };
  if (subject !== null) return { ...text, ...subject };
  const days = timesOf({ since, until });
  if (kind === 'period') return { ...text, ...days };
  const field = { number: 'number', case: 'case_id', mailbox: 'mailbox_id' } as const;
  return { ...text, ...days, [field[kind]]: value.trim() };
}
