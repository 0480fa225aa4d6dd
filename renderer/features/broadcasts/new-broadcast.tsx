import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { PAGE_FORMS, type PageForm } from '../../../shared/encoded-pages.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { broadcasts, type CheckedList } from '../../api/broadcasts.ts';
import { randomId } from '../../api/random-id.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { type DraftFile, titleOf, uploadNames } from '../../parts/draft-files.ts';
import { pageEditsOf } from '../../parts/edit-pages/page-order.ts';
import { t } from '../../texts/broadcasts.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { MainButton } from '../../ui/main-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { BroadcastCover, type CoverForm, coverFormFields, NO_COVER_FORM } from './broadcast-cover.tsx';
import { BroadcastDocuments, useBroadcastPreview } from './broadcast-documents.tsx';
import {
  BroadcastHours,
  type HoursForm,
  hoursFormFields,
  hoursProblem,
  NO_HOURS,
} from './broadcast-hours.tsx';
import styles from './broadcasts.module.css';
import { hasOneWay, type ListForm, listFormParts } from './use-recipients.ts';

const words = t.broadcasts.form;

interface Form extends ListForm {
  readonly name: string;
  readonly files: readonly DraftFile[];
  readonly cover: CoverForm;
  readonly pageForm: PageForm;
  readonly hours: HoursForm;
}

const EMPTY: Form = {
  name: '',
  files: [],
  numbers: '',
  list: null,
  tag: '',
  cover: NO_COVER_FORM,
  pageForm: 'automatic',
  hours: NO_HOURS,
};
/** Parts of the form that the check reads. */
const CHECKED = ['numbers', 'list', 'tag', 'cover'] as const;

/** Form of a new broadcast. One key stands for what is in the form, so that sending twice never makes a second one. */
export function NewBroadcast(props: { onSent: (id: string) => void; onClose: () => void }) {
  const [form, setForm] = useState<Form>(EMPTY);
  const [key, setKey] = useState(() => randomId());
  const [checked, setChecked] = useState<CheckedList | null>(null);
  const changeWith = (changesOf: (before: Form) => Partial<Form>) => {
    setForm((before) => ({ ...before, ...changesOf(before) }));
    setKey(randomId());
  };
  const change = (changes: Partial<Form>) => {
    changeWith(() => changes);
    if (CHECKED.some((part) => part in changes)) setChecked(null);
  };
  const preview = useBroadcastPreview(form.files);
  const acts = useActs(form, { key, onChecked: setChecked, onSent: props.onSent });
  const list = useMemo(
    () => ({ numbers: form.numbers, list: form.list, tag: form.tag }),
    [form.numbers, form.list, form.tag],
  );
  const canCheck = hasOneWay(form) && acts.running === null;
  return (
    <Pane label={t.shell.sendToSeveral}>
      <PaneHead isForm title={t.shell.sendToSeveral} />
      <PaneBody isPadded label={t.shell.sendToSeveral}>
        <div className={styles['form']}>
          <BroadcastDocuments
            files={form.files}
            preview={preview}
            onFiles={(next) => changeWith((before) => ({ files: next(before.files) }))}
          />
          <TextField
            label={words.name}
            help={words.nameHelp}
            maxLength={LIMITS.displayNameLength}
            value={form.name}
            onChange={(name) => change({ name })}
          />
          <WhoGetsIt form={form} onChange={change} />
          <BroadcastCover value={form.cover} list={list} onChange={(cover) => change({ cover })} />
          <Choice
            label={words.pages}
            help={words.pagesHelp}
            options={PAGE_FORMS.map((id) => ({ id, label: t.broadcasts.pageForms[id] }))}
            value={form.pageForm}
            onChange={(pageForm) => change({ pageForm })}
          />
          <BroadcastHours value={form.hours} onChange={(hours) => change({ hours })} />
          <div className={styles['buttons']}>
            <MainButton variant="default" reason={canCheck ? null : words.oneWay} onPress={acts.check}>
              {acts.running === 'check' ? words.checking : words.check}
            </MainButton>
          </div>
          {checked !== null && <CheckedLines checked={checked} />}
          {acts.problem !== null && (
            <Notice tone="danger" isLive>
              {acts.problem}
            </Notice>
          )}
          <div className={styles['buttons']}>
            <MainButton
              icon="send"
              reason={reasonNotToSend(form, {
                checked,
                running: acts.running,
                refused: preview.state.refused,
              })}
              onPress={acts.send}
            >
              {checked === null ? words.sendFirst : words.send(peopleIn(checked))}
            </MainButton>
            <Button variant="plain" onPress={props.onClose}>
              {words.cancel}
            </Button>
          </div>
        </div>
      </PaneBody>
    </Pane>
  );
}

const peopleIn = ({ recipients }: CheckedList) =>
  t.broadcasts.people(formatCount(recipients), recipients === 1);

function reasonNotToSend(
  form: Form,
  {
    checked,
    running,
    refused,
  }: { checked: CheckedList | null; running: string | null; refused: ReadonlyMap<string, string> },
): string | null {
  if (running === 'send') return words.sending;
  if (form.files.length === 0) return words.needsFiles;
  const unusable = form.files.find(({ id }) => refused.has(id));
  if (unusable) return t.send.waitsForRefused(titleOf(unusable));
  const problem = hoursProblem(form.hours);
  if (problem !== null) return problem;
  return checked === null || checked.recipients === 0 ? words.needsCheck : null;
}

/** Numbers that are pasted, a file, or a tag. */
function WhoGetsIt({ form, onChange }: { form: Form; onChange: (changes: Partial<Form>) => void }) {
  return (
    <section aria-label={t.broadcasts.recipients} className={styles['form']}>
      <h3>{t.broadcasts.recipients}</h3>
      <TextArea
        label={words.numbers}
        help={words.numbersHelp}
        rows={6}
        value={form.numbers}
        onChange={(numbers) => onChange({ numbers })}
      />
      {form.list === null ? (
        <div className={styles['buttons']}>
          <FileButton
            icon="plus"
            fieldLabel={words.file}
            accept=".csv,.txt,text/csv"
            onFiles={([list = null]) => onChange({ list })}
          >
            {words.file}
          </FileButton>
        </div>
      ) : (
        <div className={styles['document']}>
          <span className={styles['name']}>{form.list.name}</span>
          <Button variant="plain" onPress={() => onChange({ list: null })}>
            {words.remove(form.list.name)}
          </Button>
        </div>
      )}
      <TextField
        label={words.tag}
        maxLength={LIMITS.contactLengths.tag}
        value={form.tag}
        onChange={(tag) => onChange({ tag })}
      />
    </section>
  );
}

/** Result of the check: how many get the fax, and each line with a problem or a warning. */
function CheckedLines({ checked }: { checked: CheckedList }) {
  const { left_out, checked: lines } = checked;
  const named = lines.filter(({ problem, warning }) => problem !== null || warning !== null);
  return (
    <section aria-label={words.problems}>
      <p role="status">
        {words.checked(peopleIn(checked))}{' '}
        {left_out > 0 && words.leftOut(formatCount(left_out), left_out === 1)}
      </p>
      {named.length > 0 && (
        <ul className={styles['problems']} aria-label={words.problems}>
          {named.map(({ line, text, name, problem, warning }, at) => (
            <li key={`${at} ${line}`} className={styles['document']}>
              <span>{words.line(formatCount(line))}</span>
              <span className={styles['name']}>{name === null ? text : `${name}, ${text}`}</span>
              <span className={styles['quiet']}>{problem ?? warning}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function useActs(
  form: Form,
  {
    key,
    onChecked,
    onSent,
  }: { key: string; onChecked: (checked: CheckedList) => void; onSent: (id: string) => void },
) {
  const [running, setRunning] = useState<'check' | 'send' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const queries = useQueryClient();
  const post = async (preview: boolean) => {
    setProblem(null);
    setRunning(preview ? 'check' : 'send');
    const { name, files, cover, pageForm, hours } = form;
    const list = listFormParts(form);
    const names = uploadNames(files);
    const edits = pageEditsOf(files);
    try {
      return await broadcasts.sendBroadcast({
        ...(preview ? {} : { headers: { 'Idempotency-Key': key } }),
        fields: {
          preview: String(preview),
          leave_out: 'true',
          ...list.fields,
          ...(name.trim() && { name: name.trim() }),
          ...coverFormFields(cover),
          page_form: pageForm,
          ...(preview || edits === null ? {} : { page_edits: JSON.stringify(edits) }),
          ...hoursFormFields(hours),
        },
        files: {
          ...(preview ? {} : { file: files.map(({ content }, at) => ({ name: names[at] ?? '', content })) }),
          ...list.files,
        },
      });
    } catch (error) {
      setProblem(sentenceOf(error));
      return null;
    } finally {
      setRunning(null);
    }
  };
  const check = async () => {
    const found = await post(true);
    if (found) onChecked(found);
  };
  const send = async () => {
    const sent = await post(false);
    if (!sent?.broadcast) return;
    await queries.invalidateQueries({ queryKey: ['broadcasts'] });
    onSent(sent.broadcast.id);
  };
  return { running, problem, check: () => void check(), send: () => void send() };
}
