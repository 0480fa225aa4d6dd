import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { headerText } from '../../../shared/header-line.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { coversQuery } from '../../api/covers.ts';
import { type DeskDefaults, defaultsQuery, desk } from '../../api/desk.ts';
import { contextQuery, useInstallation } from '../../api/queries.ts';
import { isStatus } from '../../api/sentence.ts';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import { t } from '../../texts/desk.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './my-settings.module.css';

const words = t.desk;
/** Stands for no choice; ids are longer. */
const NONE = 'none';

/** Mailbox, cover page, signature and name in the header line of new faxes. */
export function DefaultsForm({ saved }: { saved: DeskDefaults }) {
  const [mailbox, setMailbox] = useState(saved.mailbox_id ?? NONE);
  const [cover, setCover] = useState(saved.cover_id ?? NONE);
  const [signature, setSignature] = useState(saved.signature ?? '');
  const [headerName, setHeaderName] = useState(saved.header_name ?? '');
  const queries = useQueryClient();
  const mailboxes = useQuery(contextQuery).data?.send?.mailboxes ?? [];
  const covers = useQuery(coversQuery({ to: null, mailbox: null })).data?.items ?? [];
  const save = useMutation({
    mutationFn: () =>
      desk.setDefaults({
        body: {
          mailbox_id: mailbox === NONE ? null : mailbox,
          cover_id: cover === NONE ? null : cover,
          signature: signature.trim() === '' ? null : signature.trim(),
          header_name: headerName.trim() === '' ? null : headerName.trim(),
          version: saved.version,
        },
      }),
    networkMode: 'always',
    onSuccess: async (now) => {
      queries.setQueryData(defaultsQuery.queryKey, now);
      announce(words.saved);
      await queries.invalidateQueries({ queryKey: ['covers'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <section className={styles['part']} aria-label={words.defaults}>
      <h2 className={styles['title']}>{words.defaults}</h2>
      <p className={styles['quiet']}>{words.defaultsSentence}</p>
      <FormProblem
        error={save.error}
        isStale={isStatus(save.error, 409)}
        words={words}
        reload={() => queries.invalidateQueries(defaultsQuery)}
      />
      <form className={styles['form']} onSubmit={submit}>
        {mailboxes.length > 0 && (
          <Choice
            label={words.mailbox}
            options={[{ id: NONE, label: words.noMailbox }, ...mailboxes]}
            value={mailboxes.some(({ id }) => id === mailbox) ? mailbox : NONE}
            onChange={setMailbox}
          />
        )}
        <Choice
          label={words.cover}
          options={[
            { id: NONE, label: words.noCover },
            ...covers.map(({ id, name }) => ({ id, label: name })),
          ]}
          value={covers.some(({ id }) => id === cover) ? cover : NONE}
          help={words.coverHelp}
          onChange={setCover}
        />
        <TextArea
          label={words.signature}
          help={words.signatureHelp}
          rows={2}
          maxLength={DESK_LIMITS.signature}
          value={signature}
          onChange={setSignature}
        />
        <HeaderNameField isAllowed={saved.header_name_allowed} value={headerName} onChange={setHeaderName} />
        <Button type="submit" variant="primary" isDisabled={save.isPending}>
          {words.save}
        </Button>
      </form>
    </section>
  );
}

/** The person's name in the header line; a sentence where the office prints its own. */
function HeaderNameField(props: { isAllowed: boolean; value: string; onChange: (value: string) => void }) {
  const fitting = useFittingName(props.value);
  if (!props.isAllowed) return <p className={styles['quiet']}>{words.headerNameOfOffice}</p>;
  return (
    <TextField
      label={words.headerName}
      help={fitting === null ? words.headerNameHelp : words.headerNameCut(fitting)}
      maxLength={LIMITS.headerTextLength}
      value={props.value}
      onChange={props.onChange}
    />
  );
}

/** Returns the part of the name that fits into the header line beside the number of the office; null where the whole name fits. */
function useFittingName(name: string): string | null {
  const phone = usePhoneFormat();
  const number = useInstallation()?.fax_number ?? null;
  const typed = name.trim();
  if (typed === '' || number === null) return null;
  const spaced = phone(number);
  const { text } = headerText({ name: typed, number: { spaced, e164: number } }, null);
  const fitting = text.slice(0, -spaced.length).trim();
  return fitting === typed ? null : fitting;
}
