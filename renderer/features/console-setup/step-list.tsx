import { Link } from '@tanstack/react-router';
import { useMe } from '../../api/queries.ts';
import { t } from '../../texts/administration.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './setup.module.css';
import { type Done, isDone, STEPS, type Step, stepWords } from './steps.ts';

/** Shows the steps and which are done. Each can be opened once there is an owner. `done` is null while it loads. */
export function StepList({ step, done }: { step: Step; done: Done | null }) {
  const mayGo = done?.owner === true;
  return (
    <aside className={styles['aside']} aria-label={t.setup.title}>
      <p className={styles['brand']}>
        <Icon name="mark" />
        {t.shell.product}
      </p>
      <p className={styles['position']}>{t.setup.position(STEPS.indexOf(step) + 1, STEPS.length)}</p>
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
        {mayGo && <Link to="/send">{t.setup.leave}</Link>}
      </div>
    </aside>
  );
}

function StepEntry(props: { step: Step; isNow: boolean; isDone: boolean; mayGo: boolean }) {
  const { step, isNow, isDone, mayGo } = props;
  const me = useMe();
  const { name, about } = stepWords(step);
  const isMine = step === 'owner' && isDone && me?.is_owner === true;
  const icon: IconName = isNow ? 'current' : isDone ? 'ok' : 'pending';
  const words = (
    <>
      <Icon name={icon} />
      <span className={styles['words']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['about']}>{isMine ? me.principal.display_name : about}</span>
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
