import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { useInstallation, usePermission } from '../../api/queries.ts';
import { randomId } from '../../api/random-id.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { useOwnNumber } from '../../parts/test-fax/returned-fax.ts';
import { useTestFax } from '../../parts/test-fax/test-fax.ts';
import { TestProgress } from '../../parts/test-fax/test-progress.tsx';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { beginHere } from '../../ui/focus/keeper.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { usePhoneReader } from '../../ui/phone-reader.ts';
import { StepPage, useGoTo } from './step-page.tsx';

const words = t.setup.test;

/** One page to a machine the person can look at. It may be left out. */
export function TestStep() {
  const navigate = useNavigate();
  const test = useTestFax();
  const number = useNumber();
  const obstacle = useObstacle();
  const key = useRef(randomId());
  const toSend = () => void navigate({ to: '/send' });
  const submit = () => {
    if (test.fax) return toSend();
    number.check();
    if (number.e164 !== null && !obstacle) test.sending.mutate({ to: number.e164, key: key.current });
  };
  const another = () => {
    key.current = randomId();
    test.another();
  };
  return (
    <StepPage
      step="test"
      title={words.title}
      sentence={words.sentence}
      {...(obstacle ? {} : { submit: test.fax ? t.setup.finish : words.send })}
      {...(test.fax ? { later: null } : { later: t.setup.finishWithout })}
      onSubmit={submit}
      isBusy={test.sending.isPending}
    >
      {obstacle}
      {!obstacle && !test.fax && <NumberField number={number} />}
      {test.sending.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(test.sending.error)}
        </Notice>
      )}
      {test.problem !== null && !test.fax && (
        <Notice tone="warn" isLive title={t.settings.line.notReady}>
          {test.problem}
        </Notice>
      )}
      {test.fax && <Progress fax={test.fax} onAnother={another} />}
    </StepPage>
  );
}

function useNumber() {
  const [text, setText] = useState('');
  const [isChecked, setChecked] = useState(false);
  const country = useInstallation()?.country ?? '';
  const e164 = usePhoneReader()?.toE164(text, country) ?? null;
  return { text, setText, e164, isWrong: isChecked && e164 === null, check: () => setChecked(true) };
}

function NumberField({ number }: { number: ReturnType<typeof useNumber> }) {
  const phone = usePhoneFormat();
  const installation = useInstallation();
  const own = useOwnNumber();
  return (
    <>
      {installation?.setup.test_fax === true && <Notice tone="ok">{words.doneBefore}</Notice>}
      <TextField
        label={words.to}
        inputMode="tel"
        autoComplete="off"
        autoFocus
        value={number.text}
        onChange={number.setText}
        help={number.e164 === null ? t.setup.number.numberExample : words.toNumber(phone(number.e164))}
        error={number.isWrong ? words.toWrong : null}
      />
      {own !== null && number.e164 !== own && (
        <Notice
          tone="plain"
          title={words.own}
          action={<Button onPress={() => number.setText(phone(own))}>{words.useOwn}</Button>}
        >
          {words.ownSentence(phone(own))}
        </Notice>
      )}
    </>
  );
}

/** Returns why no fax can be sent now, with the remedy; null when one can. */
function useObstacle() {
  const installation = useInstallation();
  const maySend = usePermission('fax:send');
  const goTo = useGoTo();
  if (!maySend) return <Notice tone="plain">{words.mayNot}</Notice>;
  if (installation?.setup.provider === false) {
    const action = <Button onPress={() => goTo('provider')}>{words.toProvider}</Button>;
    return (
      <Notice tone="warn" action={action}>
        {words.noProvider}
      </Notice>
    );
  }
  if (installation?.sending.enabled === false) return <Notice tone="warn">{words.off}</Notice>;
  return null;
}

/** The field that had the focus is gone: Enter goes on. */
function Progress(props: ComponentProps<typeof TestProgress>) {
  useEffect(beginHere, []);
  return <TestProgress {...props} />;
}
