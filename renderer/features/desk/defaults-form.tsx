import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { coversQuery } from '../../api/covers.ts';
import { type DeskDefaults, defaultsQuery, desk } from '../../api/desk.ts';
import { contextQuery } from '../../api/queries.ts';
import { isStatus } from '../../api/sentence.ts';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import { t } from '../../texts/desk.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { announce } from '../../ui/live-region.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './my-settings.module.css';

const words = t.desk;
/** Stands for no choice; ids are longer. */
const NONE = 'none';

/** Mailbox, cover page and signature of new faxes. */
export function DefaultsForm({ saved }: { saved: DeskDefaults }) {
  const [mailbox, setMailbox] = useState(saved.mailbox_id ?? NONE);
  const [cover, setCover] = useState(saved.cover_id ?? NONE);
  const [signature, setSignature] = useState(saved.signature ?? '');
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
        <Button type="submit" variant="primary" isDisabled={save.isPending}>
          {words.save}
        </Button>
      </form>
    </section>
  );
}
