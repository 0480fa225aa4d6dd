import { useEffect, useState } from 'react';
import {
  type HeaderNumber,
  type HeaderOwnForm,
  headerText,
  headerTime,
} from '../../../shared/header-line.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/administration.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import styles from './header-line.module.css';

const words = t.setup.number;

/** The top of a page with the header line as it is printed, while its parts are typed. */
export function HeaderLine(props: {
  organization: string;
  number: string | null;
  timeZone: string;
  /** Parts that the provider prints in a form of its own; none when left out. */
  ownForm?: readonly HeaderOwnForm[];
}) {
  const phone = usePhoneFormat();
  const now = useMinute();
  const name = props.organization === '' ? words.nobody : props.organization;
  const number = props.number === null ? null : { spaced: phone(props.number), e164: props.number };
  const sender = { name, number: number ?? { spaced: words.noNumber, e164: words.noNumber } };
  const { text, hasRecipient } = headerText(sender, recipientLike(props.number, phone));
  const { ownForm = [] } = props;
  const isCut = !text.startsWith(`${name.trim()} `);
  return (
    <figure className={styles['line']}>
      <figcaption className={styles['label']}>{words.line}</figcaption>
      <div className={styles['backdrop']}>
        <div className={styles['paper']}>
          <p className={styles['header']}>
            <span>
              {ownForm.includes('time')
                ? words.ownTime
                : headerTime(now.getTime(), props.timeZone || undefined)}
            </span>
            <span>{text}</span>
            <span>{ownForm.includes('page_number') ? words.ownPage : '1/1'}</span>
          </p>
          <span className={styles['ink']} />
          <span className={styles['ink']} />
          <span className={styles['ink']} />
        </div>
      </div>
      {isCut ? (
        <span className={styles['help']}>{words.lineCut(LIMITS.headerTextLength)}</span>
      ) : (
        !hasRecipient && <span className={styles['help']}>{words.noRoom(LIMITS.headerTextLength)}</span>
      )}
    </figure>
  );
}

/** Returns a number of the length of ours as an example of a recipient: the length decides what has room. */
function recipientLike(own: string | null, phone: (number: string) => string): HeaderNumber {
  if (own === null) return { spaced: words.theirNumber, e164: words.theirNumber };
  const e164 = `${own.slice(0, -4)}0000`;
  return { spaced: phone(e164), e164 };
}

function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
