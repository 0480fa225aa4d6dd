import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { installationQuery, useMe, usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EarlierPage } from './earlier-page.tsx';
import { NumberStep } from './number-step.tsx';
import { OwnerStep } from './owner-step.tsx';
import { ProviderStep } from './provider-step.tsx';
import { isSendOnly } from './receiving-form.ts';
import { ReceivingStep } from './receiving-step.tsx';
import styles from './setup.module.css';
import { StepList } from './step-list.tsx';
import { type Done, EARLIER, firstMissing, isStep, type Step } from './steps.ts';
import { TestStep } from './test-step.tsx';

/** Leads a new installation to its first fax. Every step can be left and taken up again. */
export function SetupScreen() {
  const me = useMe();
  const maySet = usePermission('settings:write');
  const mayMove = usePermission('owner:recover');
  const mayAsk = me !== null && !me.password_change_required;
  const installation = useQuery({ ...installationQuery, enabled: mayAsk });
  const { step } = useParams({ from: '/setup/{-$step}' });
  // A person who has to choose a password may not read the installation yet.
  if (me?.password_change_required) return <Steps step="owner" done={null} />;
  if (!maySet) return <NotOpen />;
  if (!installation.data) {
    if (!installation.error) return null;
    return <EmptyState icon="refresh" title={sentenceOf(installation.error)} />;
  }
  if (step === EARLIER && mayMove) return <Steps step={EARLIER} done={null} />;
  const { setup, receiving } = installation.data;
  const done = {
    ...setup,
    owner: me?.can_enroll_owner !== true,
    receiving: receiving.enabled || isSendOnly(),
  };
  const wanted = done.owner ? (isStep(step) ? step : firstMissing(done)) : 'owner';
  if (wanted !== step) return <Navigate to="/setup/{-$step}" params={{ step: wanted }} replace />;
  return <Steps step={wanted} done={done} />;
}

function Steps({ step, done }: { step: Step | typeof EARLIER; done: Done | null }) {
  return (
    <div className={styles['frame']}>
      <StepList step={step === EARLIER ? null : step} done={done} />
      <main className={styles['main']}>
        <OpenModeNotice />
        {step === EARLIER && <EarlierPage />}
        {step === 'owner' && <OwnerStep />}
        {step === 'provider' && <ProviderStep />}
        {step === 'number' && <NumberStep />}
        {step === 'receiving' && <ReceivingStep />}
        {step === 'test' && <TestStep />}
      </main>
    </div>
  );
}

/** A page without a session is there only where nobody has to sign in. */
function OpenModeNotice() {
  const me = useMe();
  if (me === null || me.session !== null) return null;
  return (
    <div className={styles['notice']}>
      <Notice tone="warn" title={t.setup.openMode}>
        {t.setup.openModeSentence}
      </Notice>
    </div>
  );
}

function NotOpen() {
  const navigate = useNavigate();
  const action = <Button onPress={() => void navigate({ to: '/send' })}>{t.setup.toSend}</Button>;
  return (
    <EmptyState icon="lock" title={t.setup.notAllowed} action={action}>
      {t.setup.notAllowedSentence}
    </EmptyState>
  );
}
