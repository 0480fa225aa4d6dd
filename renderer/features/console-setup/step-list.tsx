import { Link } from '@tanstack/react-router';
import { useInstallation, useMe, usePermission } from '../../api/queries.ts';
import { HelpLink } from '../../parts/help/help-link.tsx';
import { t } from '../../texts/administration.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './setup.module.css';
import { type Done, EARLIER, isDone, STEPS, type Step, stepWords } from './steps.ts';

/** Shows the steps and which are done. Each can be opened once there is an owner. `done` is null while it loads. */
export function StepList({ step, done }: { step: Step | null; done: Done | null }) {
  const mayGo = done?.owner === true;
  const mayMove = usePermission('owner:recover');
  return (
    <aside className={styles['aside']} aria-label={t.setup.title}>
      <p className={styles['brand']}>
        <Icon name="mark" />
        {t.shell.product}
      </p>
      <p className={styles['position']}>
        {step === null ? t.setup.earlier.position : t.setup.position(STEPS.indexOf(step) + 1, STEPS.length)}
      </p>
      <nav aria-label={t.setup.steps}>
        <ol>
          {STEPS.map((it) => (
            <StepEntry
              key={it}
              step={it}
              isNow={it === step}
              isDone={done !== null && isDone(it, done)}
              mayGo={mayGo}
            />
          ))}
        </ol>
      </nav>
      <div className={styles['end']}>
        <p>{t.setup.foot}</p>
        {step !== null && mayMove && (
          <Link to="/setup/{-$step}" params={{ step: EARLIER }}>
            {t.setup.earlier.link}
          </Link>
        )}
        <HelpLink page="first-hour" />
        {mayGo && <Link to="/send">{t.setup.leave}</Link>}
      </div>
    </aside>
  );
}

function StepEntry(props: { step: Step; isNow: boolean; isDone: boolean; mayGo: boolean }) {
  const { step, isNow, isDone, mayGo } = props;
  const answer = useAnswer(step);
  const { name, about } = stepWords(step);
  const second = (isDone ? answer : null) ?? about;
  const icon: IconName = isNow ? 'current' : isDone ? 'ok' : 'pending';
  const words = (
    <>
      <Icon name={icon} />
      <span className={styles['words']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['about']} title={second}>
          {second}
        </span>
        {isDone && <span className="visually-hidden">, {t.setup.done}</span>}
      </span>
    </>
  );
  return (
    <li className={styles['step']} data-now={isNow || undefined} data-done={isDone || undefined}>
      {mayGo && !isNow ? (
        <Link to="/setup/{-$step}" params={{ step }} className={styles['entry']}>
          {words}
        </Link>
      ) : (
        <span className={styles['entry']} aria-current={isNow ? 'step' : undefined}>
          {words}
        </span>
      )}
    </li>
  );
}

/** Returns the answer that was given in a step, in a few words; null while there is none. */
function useAnswer(step: Step): string | null {
  const me = useMe();
  const installation = useInstallation();
  const phone = usePhoneFormat();
  if (step === 'owner') return me?.is_owner === true ? me.principal.display_name : null;
  if (!installation) return null;
  const { sending, organization, fax_number, receiving } = installation;
  switch (step) {
    case 'provider':
      return sending.provider_name;
    case 'number':
      return organization === null || fax_number === null ? null : `${organization}, ${phone(fax_number)}`;
    case 'receiving':
      return receiving.enabled ? t.setup.receiving.answerOn : t.setup.receiving.answerOff;
    case 'test':
      return t.setup.test.answer;
  }
}
