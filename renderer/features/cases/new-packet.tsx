import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { type ComposedPacket, cases } from '../../api/cases.ts';
import { client } from '../../api/client.ts';
import { openedAddress } from '../../api/page-token.ts';
import { randomId } from '../../api/random-id.ts';
import { isRefused, sentenceOf } from '../../api/sentence.ts';
import { AboutFields } from '../../parts/about/about-fields.tsx';
import { NOTHING_TYPED, type TypedAbout } from '../../parts/about/about-words.ts';
import {
  type GuardAnswers,
  type GuardFinding,
  guardFields,
  NO_ANSWERS,
  openFinding,
  reasonOfFinding,
  withAgreement,
} from '../../parts/guard/guard.ts';
import { GuardNotes } from '../../parts/guard/guard-notes.tsx';
import { t } from '../../texts/cases.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';
import { MainButton } from '../../ui/main-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import styles from './cases.module.css';
import { MailboxChoice } from './mailbox-choice.tsx';
import { PacketDocuments, type PacketFile } from './packet-documents.tsx';

const words = t.cases.form;

interface Form extends GuardAnswers {
  readonly caseId: string;
  readonly to: string;
  readonly namesSent: boolean;
  readonly about: TypedAbout;
  /** Id of the mailbox it is sent for; empty for none. */
  readonly mailbox: string;
  readonly files: readonly PacketFile[];
}

/** Form of a new packet. One key stands for what is in the form, so that sending twice never makes a second fax. */
export function NewPacket(props: { caseId: string; onSent: (caseId: string) => void; onClose: () => void }) {
  const [form, setForm] = useState<Form>({
    caseId: props.caseId,
    to: '',
    ...NO_ANSWERS,
    namesSent: false,
    about: NOTHING_TYPED,
    mailbox: '',
    files: [],
  });
  const [key, setKey] = useState(() => randomId());
  const [preview, setPreview] = useState<ComposedPacket | null>(null);
  const change = (changes: Partial<Form>) => {
    setForm((before) => ({ ...before, ...changes }));
    // The answers to the guard are no part of the fax.
    if (Object.keys(changes).every((name) => name in NO_ANSWERS)) return;
    setKey(randomId());
    setPreview(null);
  };
  const number = useNumber(form.to);
  const acts = useActs(form, { key, to: number?.to ?? '', onPreview: setPreview, onSent: props.onSent });
  const guard = guardOf(form, number, acts);
  const isComplete = form.caseId.trim() !== '' && Boolean(number?.to) && form.files.length > 0;
  const isWaiting = acts.running !== null || number === undefined;
  return (
    <Pane label={t.cases.newPacket}>
      <PaneHead isForm title={t.cases.newPacket} />
      <PaneBody isPadded label={t.cases.newPacket}>
        <div className={styles['form']}>
          <TextField
            autoFocus
            label={words.caseId}
            help={words.caseHelp}
            maxLength={LIMITS.idLength}
            value={form.caseId}
            onChange={(caseId) => change({ caseId })}
          />
          <Recipient {...{ form, number, guard }} onChange={change} />
          <PacketDocuments files={form.files} onChange={(files) => change({ files })} />
          <Checkbox isSelected={form.namesSent} onChange={(namesSent) => change({ namesSent })}>
            {words.nameSent}
          </Checkbox>
          <p className={styles['quiet']}>{words.nameSentHelp}</p>
          <MailboxChoice value={form.mailbox} onChange={(mailbox) => change({ mailbox })} />
          <AboutFields value={form.about} onChange={(about) => change({ about })} />
          {acts.problem !== null && guard.refused === null && (
            <Notice tone="danger" isLive>
              {acts.problem}
            </Notice>
          )}
          <div className={styles['buttons']}>
            <Button isDisabled={!isComplete || acts.running !== null} onPress={acts.draw}>
              {acts.running === 'preview' ? words.previewing : words.preview}
            </Button>
            <MainButton
              icon="send"
              reason={reasonOf({ guard, isComplete, isWaiting, isSending: acts.running === 'send' })}
              onPress={acts.send}
            >
              {words.send}
            </MainButton>
            <Button variant="plain" onPress={props.onClose}>
              {words.cancel}
            </Button>
          </div>
        </div>
        {preview !== null && <PreviewPages packet={preview} />}
      </PaneBody>
    </Pane>
  );
}

const documentOf = ({ files }: Form): string => files.map(({ id }) => id).join();

type CheckedNumber = ReturnType<typeof useNumber>;

/** Findings of the wrong-number guard about the packet, with the question for which it was refused. */
function guardOf(form: Form, number: CheckedNumber, acts: Pick<Acts, 'problem' | 'isRefusedByGuard'>) {
  const fax = { to: number?.to ?? '', document: documentOf(form) };
  const found = number?.findings ?? [];
  const isOther = acts.isRefusedByGuard && openFinding(found, form, fax) === null;
  // Only the gateway can compare the documents, when they arrive.
  const findings = isOther && acts.problem !== null ? [sameDocument(acts.problem), ...found] : found;
  const open = openFinding(findings, form, fax);
  return { fax, findings, open, refused: acts.isRefusedByGuard ? (open?.check ?? null) : null };
}

type Guard = ReturnType<typeof guardOf>;

const sameDocument = (sentence: string): GuardFinding => ({
  check: 'same_document',
  action: 'ask',
  sentence,
  answer: 'yes',
  near: null,
});

/** Returns a sentence on why the packet cannot be sent yet; null when it can. */
function reasonOf(parts: {
  guard: Guard;
  isComplete: boolean;
  isWaiting: boolean;
  isSending: boolean;
}): string | null {
  const { guard, isComplete, isWaiting, isSending } = parts;
  if (isSending) return words.sending;
  if (!isComplete || isWaiting) return words.needs;
  return guard.open === null ? null : reasonOfFinding(guard.open);
}

/** The number, with what speaks against it. */
function Recipient(props: {
  form: Form;
  number: CheckedNumber;
  guard: Guard;
  onChange: (changes: Partial<Form>) => void;
}) {
  const { form, number, guard, onChange } = props;
  const { fax, findings } = guard;
  return (
    <>
      <TextField
        label={words.to}
        inputMode="tel"
        value={form.to}
        onChange={(to) => onChange({ to })}
        error={number?.problem ?? null}
        help={number?.contact ? words.contact(number.contact.name) : number?.display}
      />
      {fax.to !== '' && (
        <GuardNotes
          findings={findings}
          answers={form}
          fax={fax}
          refused={guard.refused}
          onConfirm={() => onChange({ confirmed: fax.to })}
          onAgree={(check, isYes) => onChange(withAgreement(form, check, { ...fax, isYes }))}
          onUse={(to) => onChange({ to })}
        />
      )}
    </>
  );
}

/** Looks the typed number up; undefined while nothing is known about it. */
function useNumber(to: string) {
  const typed = to.trim();
  const { data } = useQuery({
    queryKey: ['number-check', typed],
    queryFn: ({ signal }) => client.outbound.checkNumber({ query: { to: typed }, signal }),
    enabled: typed.length > 2,
  });
  return typed.length > 2 ? data : undefined;
}

function useActs(
  form: Form,
  {
    key,
    to,
    onPreview,
    onSent,
  }: {
    key: string;
    to: string;
    onPreview: (packet: ComposedPacket) => void;
    onSent: (caseId: string) => void;
  },
) {
  const [running, setRunning] = useState<'preview' | 'send' | null>(null);
  const [failed, setFailed] = useState<{ key: string; error: unknown } | null>(null);
  // Another packet has not failed yet.
  const failure = failed?.key === key ? failed.error : null;
  const queries = useQueryClient();
  const fax = { to, document: documentOf(form) };
  const post = async (preview: boolean) => {
    setFailed(null);
    setRunning(preview ? 'preview' : 'send');
    try {
      return await cases.sendCase({
        params: { case_id: form.caseId.trim() },
        ...(preview ? {} : { headers: { 'Idempotency-Key': key } }),
        fields: {
          to: form.to,
          preview: String(preview),
          name_sent: String(form.namesSent),
          ...(preview ? {} : guardFields(form, fax)),
          titles: form.files.map(({ title }) => title),
          ...Object.fromEntries(Object.entries(form.about).filter(([, text]) => text.trim() !== '')),
          ...(form.mailbox === '' ? {} : { mailbox: form.mailbox }),
        },
        files: { documents: form.files.map(({ file }) => ({ name: file.name, content: file })) },
      });
    } catch (error) {
      // The number is known better by now.
      if (isGuardRefusal(error)) await queries.invalidateQueries({ queryKey: ['number-check'] });
      setFailed({ key, error });
      return null;
    } finally {
      setRunning(null);
    }
  };
  const draw = async () => {
    const drawn = await post(true);
    if (drawn) onPreview(drawn);
  };
  const send = async () => {
    const sent = await post(false);
    if (!sent) return;
    // The number has been used now.
    for (const key of ['fax-counts', 'recipients', 'number-check'])
      void queries.invalidateQueries({ queryKey: [key] });
    await queries.invalidateQueries({ queryKey: ['cases'] });
    onSent(sent.case_id);
  };
  return {
    running,
    problem: failure === null ? null : sentenceOf(failure),
    isRefusedByGuard: isGuardRefusal(failure),
    draw: () => void draw(),
    send: () => void send(),
  };
}

type Acts = ReturnType<typeof useActs>;

const isGuardRefusal = (error: unknown): boolean => isRefused(error, 'guard_refused', 'number_blocked');

/** Documents that the recipient has already: the index names them, and they are not sent again. */
function NamedDocuments({ documents }: Pick<ComposedPacket, 'documents'>) {
  const named = documents.flatMap(({ title, named: before }) =>
    before ? { title, at: before.sent_at } : [],
  );
  if (named.length === 0) return null;
  return (
    <Notice tone="plain" title={words.notSentAgain}>
      <ul className={styles['contents']}>
        {named.map(({ title, at }, i) => (
          <li key={`${i} ${title}`}>{words.deliveredOn(title, formatDayAndTime(at))}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** The pages as the far machine prints them. */
function PreviewPages({ packet: { pages, documents, preview_id } }: { packet: ComposedPacket }) {
  const address = (page: number) =>
    openedAddress(`/fax/preview/${encodeURIComponent(preview_id ?? '')}/${page}.png`);
  return (
    <section aria-label={words.preview}>
      <h3>{words.previewTitle(t.cases.pages(formatCount(pages), pages === 1))}</h3>
      <NamedDocuments documents={documents} />
      <div className={styles['pages']}>
        {Array.from({ length: pages }, (_, i) => (
          <img key={i} loading="lazy" src={address(i + 1)} alt={words.pageAlt(formatCount(i + 1))} />
        ))}
      </div>
    </section>
  );
}
