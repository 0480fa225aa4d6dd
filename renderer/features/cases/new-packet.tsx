import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { type ComposedPacket, cases } from '../../api/cases.ts';
import { client } from '../../api/client.ts';
import { openedAddress } from '../../api/page-token.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { AboutFields } from '../../parts/about/about-fields.tsx';
import { NOTHING_TYPED, type TypedAbout } from '../../parts/about/about-words.ts';
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
const CHECKED_DIGITS = 4;

interface Form {
  readonly caseId: string;
  readonly to: string;
  readonly lastFour: string;
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
    lastFour: '',
    namesSent: false,
    about: NOTHING_TYPED,
    mailbox: '',
    files: [],
  });
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [preview, setPreview] = useState<ComposedPacket | null>(null);
  const change = (changes: Partial<Form>) => {
    setForm((before) => ({ ...before, ...changes }));
    // The digits that are typed again are no part of the fax.
    if (Object.keys(changes).join() === 'lastFour') return;
    setKey(crypto.randomUUID());
    setPreview(null);
  };
  const acts = useActs(form, { key, onPreview: setPreview, onSent: props.onSent });
  const number = useNumber(form.to);
  const needsDigits = number?.first_time === true && number.to !== null;
  const isConfirmed = !needsDigits || number.to?.slice(-CHECKED_DIGITS) === form.lastFour;
  const isComplete = form.caseId.trim() !== '' && Boolean(number?.to) && form.files.length > 0;
  const canSend = isComplete && isConfirmed && number?.blocked === false && acts.running === null;
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
          <Recipient form={form} number={number} needsDigits={needsDigits} onChange={change} />
          <PacketDocuments files={form.files} onChange={(files) => change({ files })} />
          <Checkbox isSelected={form.namesSent} onChange={(namesSent) => change({ namesSent })}>
            {words.nameSent}
          </Checkbox>
          <p className={styles['quiet']}>{words.nameSentHelp}</p>
          <MailboxChoice value={form.mailbox} onChange={(mailbox) => change({ mailbox })} />
          <AboutFields value={form.about} onChange={(about) => change({ about })} />
          {acts.problem !== null && (
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
              reason={canSend ? null : acts.running === 'send' ? words.sending : words.needs}
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

/** The number, and its last digits again where no fax was sent to it before. */
function Recipient(props: {
  form: Form;
  number: ReturnType<typeof useNumber>;
  needsDigits: boolean;
  onChange: (changes: Partial<Form>) => void;
}) {
  const { form, number, needsDigits, onChange } = props;
  return (
    <>
      <TextField
        label={words.to}
        inputMode="tel"
        value={form.to}
        onChange={(to) => onChange({ to, lastFour: '' })}
        error={number?.problem ?? (number?.blocked ? words.blocked : null)}
        help={number?.contact ? words.contact(number.contact.name) : number?.display}
      />
      {needsDigits && (
        <TextField
          label={words.lastFour}
          help={words.lastFourHelp}
          inputMode="numeric"
          maxLength={CHECKED_DIGITS}
          value={form.lastFour}
          onChange={(lastFour) => onChange({ lastFour })}
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
    onPreview,
    onSent,
  }: { key: string; onPreview: (packet: ComposedPacket) => void; onSent: (caseId: string) => void },
) {
  const [running, setRunning] = useState<'preview' | 'send' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const queries = useQueryClient();
  const post = async (preview: boolean) => {
    setProblem(null);
    setRunning(preview ? 'preview' : 'send');
    try {
      return await cases.sendCase({
        params: { case_id: form.caseId.trim() },
        ...(preview ? {} : { headers: { 'Idempotency-Key': key } }),
        fields: {
          to: form.to,
          preview: String(preview),
          name_sent: String(form.namesSent),
          titles: form.files.map(({ title }) => title),
          ...Object.fromEntries(Object.entries(form.about).filter(([, text]) => text.trim() !== '')),
          ...(form.mailbox === '' ? {} : { mailbox: form.mailbox }),
        },
        files: { documents: form.files.map(({ file }) => ({ name: file.name, content: file })) },
      });
    } catch (error) {
      setProblem(sentenceOf(error));
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
    await queries.invalidateQueries({ queryKey: ['cases'] });
    onSent(sent.case_id);
  };
  return { running, problem, draw: () => void draw(), send: () => void send() };
}

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
