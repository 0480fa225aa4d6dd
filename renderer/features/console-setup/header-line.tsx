import { useEffect, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/house.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import styles from './setup.module.css';

const words = t.setup.number;

/** The top of a page with the header line as the gateway draws it, while its parts are typed. */
export function HeaderLine(props: { organization: string; number: string | null; timeZone: string }) {
  const phone = usePhoneFormat();
  const now = useMinute();
  const name = props.organization === '' ? words.nobody : props.organization;
  const number = props.number === null ? words.noNumber : phone(props.number);
  const room = LIMITS.headerTextLength - number.length - 1;
  const line = `${timeIn(props.timeZone, now)}  ${name.slice(0, room).trim()} ${number}`;
  return (
    <figure className={styles['line']}>
      <figcaption className={styles['label']}>{words.line}</figcaption>
      <div className={styles['backdrop']}>
        <div className={styles['paper']}>
          <p className={styles['header']}>{line}</p>
          <span className={styles['ink']} />
          <span className={styles['ink']} />
          <span className={styles['ink']} />
        </div>
      </div>
      {name.length > room && <span className={styles['help']}>{words.lineCut(LIMITS.headerTextLength)}</span>}
    </figure>
  );
}

/** `2025-11-21 10:06` */
function timeIn(timeZone: string, at: Date): string {
  const time = new Intl.DateTimeFormat('en-CA', {
    timeZone: timeZone === '' ? undefined : timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return time.replace(',', '');
}

function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
