import { useId, useState } from 'react';
import { type Call, useCalls } from '../../../api/calls.ts';
import type { List } from '../../../api/lists/list.ts';
import { usePermission } from '../../../api/queries.ts';
import { ListOpening, ListProblem } from '../../../parts/lists/list-state.tsx';
import { t } from '../../../texts/call-log.ts';
import { Button } from '../../../ui/button.tsx';
import settings from '../settings.module.css';
import styles from './call-log.module.css';
import { CallRow } from './call-row.tsx';

const words = t.callLog;

/** Number of calls at first, and per press of the button for more. */
const STEP = 10;

/** Shows the calls over the phone line and their outcomes. Visible with the permission `providers:read`. */
export function CallLog() {
  return usePermission('providers:read') && <Calls />;
}

function Calls() {
  const heading = useId();
  const list = useCalls();
  return (
    <section className={settings['part']} aria-labelledby={heading}>
      <h3 className={settings['title']} id={heading}>
        {words.title}
      </h3>
      {list.isOpening ? (
        <ListOpening error={list.error} retry={list.retry} />
      ) : list.items.length === 0 ? (
        <p className={settings['sentence']}>{words.empty}</p>
      ) : (
        <Table list={list} heading={heading} />
      )}
    </section>
  );
}

function Table({ list, heading }: { list: List<Call>; heading: string }) {
  const [count, setCount] = useState(STEP);
  const isMore = !list.isWhole || list.items.length > count;
  const showMore = () => {
    list.loadTo(count + STEP);
    setCount(count + STEP);
  };
  return (
    <>
      <table className={styles['table']} aria-labelledby={heading}>
        <thead>
          <tr>
            <th scope="col">{words.columns.time}</th>
            <th scope="col">{words.columns.number}</th>
            <th scope="col">{words.columns.result}</th>
            <th scope="col" data-end>
              {words.columns.pages}
            </th>
            <th scope="col" data-room="wide">
              {words.columns.how}
            </th>
            <th scope="col" data-end data-room="wide">
              {words.columns.duration}
            </th>
            <th scope="col">
              <span className="visually-hidden">{words.columns.details}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.items.slice(0, count).map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </tbody>
      </table>
      <ListProblem list={list} />
      {isMore && (
        <div>
          <Button onPress={showMore}>{words.more}</Button>
        </div>
      )}
    </>
  );
}
