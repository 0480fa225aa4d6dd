import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isStatus, sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { announce } from '../../ui/live-region.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AboutFields } from './about-fields.tsx';
import styles from './about-part.module.css';
import { type About, aboutLine, typedAbout } from './about-words.ts';
import { useAboutWords } from './use-about-words.ts';

/** New values, with those that the person saw before. */
type AboutChange = About & { readonly expected_about: About };

interface AboutPartProps {
  readonly about: About;
  readonly mayChange: boolean;
  readonly onSave: (change: AboutChange) => Promise<unknown>;
  /** Reads the fax again, because somebody else changed it. */
  readonly onStale: () => void;
}

/** Part of the details with what a fax is about; nothing where there is nothing and the person may not change it. */
export function AboutPart(props: AboutPartProps) {
  const { about, mayChange } = props;
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const words = t.fax.about;
  const line = aboutLine(about);
  const leave = () => {
    flushSync(() => setEditing(false));
    edit.current?.focus();
  };
  if (line === null && !mayChange) return null;
  return (
    <section className={styles['section']}>
      <h3>{words.title}</h3>
      {isEditing ? (
        <EditForm {...props} onLeave={leave} />
      ) : (
        <>
          {line === null ? <p className={styles['none']}>{words.none}</p> : <Facts about={about} />}
          {mayChange && (
            <Button ref={edit} icon="note" onPress={() => setEditing(true)}>
              {line === null ? words.add : words.edit}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function Facts({ about }: { about: About }) {
  const { reference } = useAboutWords();
  const words = t.fax.about;
  return (
    <FactList wordWidth={96}>
      {about.subject !== null && <Fact name={words.subject}>{about.subject}</Fact>}
      {about.reference !== null && <Fact name={reference}>{about.reference}</Fact>}
      {about.document_type !== null && <Fact name={words.type}>{about.document_type}</Fact>}
    </FactList>
  );
}

function EditForm({ about, onSave, onStale, onLeave }: AboutPartProps & { onLeave: () => void }) {
  const [value, setValue] = useState(() => typedAbout(about));
  const [seen] = useState(about);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const words = t.fax.about;
  const saving = useMutation({
    mutationFn: onSave,
    onSuccess: () => {
      announce(words.saved);
      onLeave();
    },
    onError: (error) => {
      if (isStatus(error, 409)) onStale();
    },
  });
  const isStale = isStatus(saving.error, 409);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving.isPending) return;
    const { subject, reference, document_type } = isStale ? about : seen;
    saving.mutate({
      subject: value.subject.trim() || null,
      reference: value.reference.trim() || null,
      document_type: value.document_type.trim() || null,
      expected_about: { subject, reference, document_type },
    });
  };
  const leaveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onLeave();
  };
  return (
    <form
      className={styles['form']}
      onSubmit={submit}
      onKeyDown={leaveByKey}
      noValidate
      aria-label={words.title}
    >
      <AboutFields value={value} onChange={setValue} firstRef={first} />
      {saving.error !== null && (
        <Notice tone={isStale ? 'warn' : 'danger'} isLive>
          {isStale ? words.changed(aboutLine(about) ?? words.none) : sentenceOf(saving.error)}
        </Notice>
      )}
      <div className={styles['line']}>
        <MainButton type="submit" isPending={saving.isPending} reason={null}>
          {words.save}
        </MainButton>
        <Button onPress={onLeave}>{words.cancel}</Button>
      </div>
    </form>
  );
}
