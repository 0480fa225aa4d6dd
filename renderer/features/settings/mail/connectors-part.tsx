import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { PERMISSIONS } from '../../../../shared/permissions.ts';
import { connectorsQuery } from '../../../api/intake.ts';
import { useCanManageMail, usePermission } from '../../../api/queries.ts';
import entries from '../../../parts/entries/entries.module.css';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/mail-connectors.ts';
import { Button } from '../../../ui/button.tsx';
import settings from '../settings.module.css';
import { ConnectorDialog } from './connector-dialog.tsx';
import { ConnectorRow } from './connector-row.tsx';
import styles from './connectors.module.css';

const words = t.mailConnectors;

/** Lists the e-mail connectors, each with its last delivery and its actions. */
export function ConnectorsPart() {
  const heading = useId();
  const mayRead = usePermission('mailboxes:read');
  const maySet = usePermission('settings:write');
  const mayChange = useCanManageMail();
  const [isAdding, setAdding] = useState(false);
  return (
    <section className={styles['part']} aria-labelledby={heading}>
      <div className={entries['head']}>
        <h3 className={settings['title']} id={heading}>
          {words.title}
        </h3>
        {mayRead && mayChange && (
          <Button icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )}
      </div>
      <p className={settings['sentence']}>{mayRead ? words.sentence : words.mayNotRead}</p>
      {mayRead && maySet && !mayChange && (
        <p className={settings['sentence']}>{words.mayNotChange(PERMISSIONS['inbound:document'])}</p>
      )}
      {mayRead && <Connectors />}
      {isAdding && <ConnectorDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function Connectors() {
  const connectors = useQuery(connectorsQuery);
  if (!connectors.data) return <LoadProblem of={connectors} />;
  if (connectors.data.length === 0) return <p className={entries['none']}>{words.empty}</p>;
  return (
    <ul className={entries['list']} aria-label={words.list}>
      {connectors.data.map((connector) => (
        <ConnectorRow key={connector.id} connector={connector} />
      ))}
    </ul>
  );
}
