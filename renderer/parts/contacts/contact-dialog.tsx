import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import type { Contact } from '../../api/contacts.ts';
import { deliveryRoutesQuery } from '../../api/delivery-routes.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { FormProblem } from '../forms/form-problem.tsx';
import styles from './contact-dialog.module.css';
import {
  hoursProblemOf,
  keyProblemOf,
  type TypedContact,
  useContactForm,
  useNumberProblems,
  useTypedNumber,
  zoneProblemOf,
} from './contact-form.ts';
import { EncodedPagesField } from './encoded-pages-field.tsx';
import { minutesWord, TOGETHER_CHOICES } from './minutes.ts';
import { OwnerField } from './owner-field.tsx';
import { PersonFields } from './person-fields.tsx';
import { SendingFields } from './sending-fields.tsx';

const words = t.contacts.form;

interface ContactDialogProps {
  /** The one to change; a new one when left out. */
  readonly contact?: Contact;
  /** E.164 of a fax that it is saved from. */
  readonly number?: string;
  /** Fields of a new one that are known. */
  readonly filled?: Partial<TypedContact>;
  readonly onClose: () => void;
  readonly onDone: (contact: Contact) => void;
  /** Leads to the contact that has the number already. */
  readonly onShow: (id: string) => void;
}

/** A new contact, or other facts of one. The number that is shown below the field is the one that is saved. */
export function ContactDialog(props: ContactDialogProps) {
  const { contact, number, filled, onClose, onDone, onShow } = props;
  const phone = usePhoneFormat();
  const [isChecked, setChecked] = useState(false);
  const { typed, type, save, isPending, error, isStale, reload } = useContactForm(
    contact,
    { number: number ? phone(number) : '', filled },
    (saved) => {
      announce(contact ? words.saved(saved.name) : words.added(saved.name));
      onDone(saved);
    },
  );
  const read = useTypedNumber(typed.number, contact);
  const { to, taken } = read;
  const problems = useNumberProblems(typed);
  const submit = () => {
    setChecked(true);
    if (problems.other !== null || problems.voice) return;
    if (hoursProblemOf(typed) || zoneProblemOf(typed)) return;
    if (typed.name.trim() !== '' && to !== null && !taken && keyProblemOf(typed) === null) save(to);
  };
  const title = contact ? words.editTitle(contact.name) : number ? words.saveTitle : words.addTitle;
  return (
    <FormDialog
      title={title}
      helpPage="address-book"
      words={words}
      isPending={isPending}
      blocked={isStale ? words.reloadFirst : null}
      onSave={submit}
      onClose={onClose}
    >
      <NameAndNumber {...{ typed, type, isChecked, onShow }} read={read} />
      <PersonFields {...{ typed, type, isChecked, problems }} />
      <OwnerField contact={contact ?? null} owner={typed.owner} onChange={(owner) => type({ owner })} />
      <SendingFields {...{ typed, type, isChecked }} />
      <MoreFields {...{ typed, type, isChecked }} fingerprint={contact?.shared_key_fingerprint ?? null} />
      <FormProblem {...{ error, isStale, words, reload }} />
    </FormDialog>
  );
}

function NameAndNumber(props: {
  typed: TypedContact;
  type: (change: Partial<TypedContact>) => void;
  /** Somebody tried to save. */
  isChecked: boolean;
  read: ReturnType<typeof useTypedNumber>;
  onShow: (id: string) => void;
}) {
  const { typed, type, isChecked, read, onShow } = props;
  const { to, display, taken } = read;
  return (
    <>
      <TextField
        label={words.name}
        value={typed.name}
        maxLength={LIMITS.contactLengths.name}
        error={isChecked && typed.name.trim() === '' ? words.nameMissing : null}
        autoFocus
        autoComplete="off"
        onChange={(name) => type({ name })}
      />
      <TextField
        label={words.number}
        type="tel"
        value={typed.number}
        maxLength={40}
        help={display ?? words.numberHelp}
        error={numberError({ isChecked, to, taken })}
        autoComplete="off"
        onChange={(typedNumber) => type({ number: typedNumber })}
      />
      {taken && (
        <div>
          <Button onPress={() => onShow(taken.id)}>{words.showTaken}</Button>
        </div>
      )}
    </>
  );
}

function numberError(facts: {
  isChecked: boolean;
  to: string | null;
  taken: Contact | undefined;
}): string | null {
  if (facts.taken) return words.numberTaken(facts.taken.name);
  return facts.isChecked && facts.to === null ? words.numberWrong : null;
}

function MoreFields({
  typed,
  type,
  ...encoded
}: {
  typed: TypedContact;
  type: (change: Partial<TypedContact>) => void;
  isChecked: boolean;
  fingerprint: string | null;
}) {
  const minutes = [...new Set([...TOGETHER_CHOICES, typed.minutes])].sort((a, b) => a - b);
  return (
    <>
      <Choice
        label={words.together}
        help={words.togetherHelp}
        value={String(typed.minutes)}
        onChange={(value) => type({ minutes: Number(value) })}
        options={minutes.map((count) => ({
          id: String(count),
          label: count === 0 ? words.togetherOff : words.minutes(minutesWord(count)),
        }))}
      />
      <RouteField route={typed.route} onChange={(route) => type({ route })} />
      <EncodedPagesField {...{ typed, type }} {...encoded} />
      <TextArea
        label={words.note}
        value={typed.note}
        maxLength={LIMITS.contactLengths.note}
        placeholder={words.optional}
        onChange={(note) => type({ note })}
      />
      <div>
        <Checkbox isSelected={typed.isBlocked} onChange={(isBlocked) => type({ isBlocked })}>
          {words.blocked}
        </Checkbox>
        <p className={styles['help']}>{words.blockedHelp}</p>
      </div>
    </>
  );
}

/** Only where there are routes, for who may see them. */
function RouteField({ route, onChange }: { route: string; onChange: (route: string) => void }) {
  const routes = useQuery({ ...deliveryRoutesQuery, enabled: usePermission('routing:read') }).data ?? [];
  if (routes.length === 0) return null;
  return (
    <Choice
      label={words.route}
      help={words.routeHelp}
      value={route}
      onChange={onChange}
      options={[{ id: '', label: words.noRoute }, ...routes.map(({ id, name }) => ({ id, label: name }))]}
    />
  );
}
